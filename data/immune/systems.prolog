% 18 systems: starting levels, and delays in time-points.

initial_level(s1, e, 0).
initial_level(s1, h, 0).
initial_level(s1, s, 0).
initial_level(s2, e, 0).
initial_level(s2, h, 0).
initial_level(s2, s, 1).
initial_level(s3, e, 0).
initial_level(s3, h, 0).
initial_level(s3, s, 2).
initial_level(s4, e, 0).
initial_level(s4, h, 1).
initial_level(s4, s, 0).
initial_level(s5, e, 0).
initial_level(s5, h, 1).
initial_level(s5, s, 1).
initial_level(s6, e, 0).
initial_level(s6, h, 1).
initial_level(s6, s, 2).
initial_level(s7, e, 0).
initial_level(s7, h, 2).
initial_level(s7, s, 0).
initial_level(s8, e, 0).
initial_level(s8, h, 2).
initial_level(s8, s, 1).
initial_level(s9, e, 0).
initial_level(s9, h, 2).
initial_level(s9, s, 2).
initial_level(s10, e, 1).
initial_level(s10, h, 0).
initial_level(s10, s, 0).
initial_level(s11, e, 1).
initial_level(s11, h, 0).
initial_level(s11, s, 1).
initial_level(s12, e, 1).
initial_level(s12, h, 0).
initial_level(s12, s, 2).
initial_level(s13, e, 1).
initial_level(s13, h, 1).
initial_level(s13, s, 0).
initial_level(s14, e, 1).
initial_level(s14, h, 1).
initial_level(s14, s, 1).
initial_level(s15, e, 1).
initial_level(s15, h, 1).
initial_level(s15, s, 2).
initial_level(s16, e, 1).
initial_level(s16, h, 2).
initial_level(s16, s, 0).
initial_level(s17, e, 1).
initial_level(s17, h, 2).
initial_level(s17, s, 1).
initial_level(s18, e, 1).
initial_level(s18, h, 2).
initial_level(s18, s, 2).
delay(s1, e, up, 6).
delay(s1, e, down, 6).
delay(s1, h, up, 5).
delay(s1, h, down, 4).
delay(s1, s, up, 7).
delay(s1, s, down, 6).
delay(s2, e, up, 6).
delay(s2, e, down, 6).
delay(s2, h, up, 5).
delay(s2, h, down, 4).
delay(s2, s, up, 7).
delay(s2, s, down, 6).
delay(s3, e, up, 6).
delay(s3, e, down, 6).
delay(s3, h, up, 5).
delay(s3, h, down, 4).
delay(s3, s, up, 7).
delay(s3, s, down, 6).
delay(s4, e, up, 6).
delay(s4, e, down, 6).
delay(s4, h, up, 5).
delay(s4, h, down, 4).
delay(s4, s, up, 7).
delay(s4, s, down, 6).
delay(s5, e, up, 6).
delay(s5, e, down, 6).
delay(s5, h, up, 5).
delay(s5, h, down, 4).
delay(s5, s, up, 7).
delay(s5, s, down, 6).
delay(s6, e, up, 6).
delay(s6, e, down, 6).
delay(s6, h, up, 5).
delay(s6, h, down, 4).
delay(s6, s, up, 7).
delay(s6, s, down, 6).
delay(s7, e, up, 6).
delay(s7, e, down, 6).
delay(s7, h, up, 5).
delay(s7, h, down, 4).
delay(s7, s, up, 7).
delay(s7, s, down, 6).
delay(s8, e, up, 6).
delay(s8, e, down, 6).
delay(s8, h, up, 5).
delay(s8, h, down, 4).
delay(s8, s, up, 7).
delay(s8, s, down, 6).
delay(s9, e, up, 6).
delay(s9, e, down, 6).
delay(s9, h, up, 5).
delay(s9, h, down, 4).
delay(s9, s, up, 7).
delay(s9, s, down, 6).
delay(s10, e, up, 6).
delay(s10, e, down, 6).
delay(s10, h, up, 5).
delay(s10, h, down, 4).
delay(s10, s, up, 7).
delay(s10, s, down, 6).
delay(s11, e, up, 6).
delay(s11, e, down, 6).
delay(s11, h, up, 5).
delay(s11, h, down, 4).
delay(s11, s, up, 7).
delay(s11, s, down, 6).
delay(s12, e, up, 6).
delay(s12, e, down, 6).
delay(s12, h, up, 5).
delay(s12, h, down, 4).
delay(s12, s, up, 7).
delay(s12, s, down, 6).
delay(s13, e, up, 6).
delay(s13, e, down, 6).
delay(s13, h, up, 5).
delay(s13, h, down, 4).
delay(s13, s, up, 7).
delay(s13, s, down, 6).
delay(s14, e, up, 6).
delay(s14, e, down, 6).
delay(s14, h, up, 5).
delay(s14, h, down, 4).
delay(s14, s, up, 7).
delay(s14, s, down, 6).
delay(s15, e, up, 6).
delay(s15, e, down, 6).
delay(s15, h, up, 5).
delay(s15, h, down, 4).
delay(s15, s, up, 7).
delay(s15, s, down, 6).
delay(s16, e, up, 6).
delay(s16, e, down, 6).
delay(s16, h, up, 5).
delay(s16, h, down, 4).
delay(s16, s, up, 7).
delay(s16, s, down, 6).
delay(s17, e, up, 6).
delay(s17, e, down, 6).
delay(s17, h, up, 5).
delay(s17, h, down, 4).
delay(s17, s, up, 7).
delay(s17, s, down, 6).
delay(s18, e, up, 6).
delay(s18, e, down, 6).
delay(s18, h, up, 5).
delay(s18, h, down, 4).
delay(s18, s, up, 7).
delay(s18, s, down, 6).
