event(stop_start(_)).
inputEntity(stop_start(_)).
event(stop_end(_)).
inputEntity(stop_end(_)).

simpleFluent(stopped(_)=true).
outputEntity(stopped(_)=true).
simpleFluent(moored(_)=true).
outputEntity(moored(_)=true).
sDFluent(quiet(_)=true).
outputEntity(quiet(_)=true).
