% What counts as slow, fast, or long enough: knots, degrees and seconds.

thresholds(movingMin, 2.7).         % slower is not under way
thresholds(nearCoastMax, 12.0).     % faster near the coast is dangerous
thresholds(driftAngle, 25.0).       % between bow and course

thresholds(trawlSpeedMin, 1.0).
thresholds(trawlSpeedMax, 6.0).
thresholds(sarSpeedMin, 2.7).
thresholds(towingMin, 1.2).
thresholds(towingMax, 8.0).

thresholds(anchoredTime, 1800).
thresholds(loiteringTime, 1800).
thresholds(trawlingTime, 3600).
thresholds(sarTime, 2700).
thresholds(tuggingTime, 900).
thresholds(boardingTime, 360).
thresholds(rendezVousTime, 1200).

% The service speed of each type of vessel: least, greatest and usual, in knots.

typeSpeed(cargo,          8.0, 16.0, 12.5).
typeSpeed(tanker,         8.0, 15.5, 12.0).
typeSpeed(passenger,     10.0, 22.0, 17.0).
typeSpeed(fishing,        3.0, 10.5,  8.0).
typeSpeed(tug,            3.0, 12.0,  8.0).
typeSpeed(pilotVessel,    8.0, 22.0, 16.0).
typeSpeed(sar,            6.0, 25.0, 15.0).
typeSpeed(highSpeedCraft, 15.0, 30.0, 25.0).
typeSpeed(pleasureCraft,  3.0, 12.0,  6.0).
typeSpeed(other,          5.0, 14.0, 10.0).
