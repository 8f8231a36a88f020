% The areas of the gulf and their types.

areaType(port_brava, nearPorts).
areaType(port_costa, nearPorts).
areaType(port_dorada, nearPorts).
areaType(port_isla, nearPorts).
areaType(mainland_coast, nearCoast).
areaType(island_coast, nearCoast).
areaType(roads_brava, anchorage).
areaType(roads_costa, anchorage).
areaType(roads_dorada, anchorage).
areaType(roads_isla, anchorage).
areaType(bank_1, fishing).
areaType(bank_2, fishing).
areaType(reserve_1, natura).
areaType(reserve_2, natura).
