areaType(a1, nearPorts).
areaType(a2, far).
