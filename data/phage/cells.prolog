% 48 systems: starting levels, and delays in time-points.

initial_level(cell1, cI, 0).
initial_level(cell1, cro, 0).
initial_level(cell1, cII, 0).
initial_level(cell1, n, 0).
initial_level(cell2, cI, 0).
initial_level(cell2, cro, 0).
initial_level(cell2, cII, 0).
initial_level(cell2, n, 1).
initial_level(cell3, cI, 0).
initial_level(cell3, cro, 0).
initial_level(cell3, cII, 1).
initial_level(cell3, n, 0).
initial_level(cell4, cI, 0).
initial_level(cell4, cro, 0).
initial_level(cell4, cII, 1).
initial_level(cell4, n, 1).
initial_level(cell5, cI, 0).
initial_level(cell5, cro, 1).
initial_level(cell5, cII, 0).
initial_level(cell5, n, 0).
initial_level(cell6, cI, 0).
initial_level(cell6, cro, 1).
initial_level(cell6, cII, 0).
initial_level(cell6, n, 1).
initial_level(cell7, cI, 0).
initial_level(cell7, cro, 1).
initial_level(cell7, cII, 1).
initial_level(cell7, n, 0).
initial_level(cell8, cI, 0).
initial_level(cell8, cro, 1).
initial_level(cell8, cII, 1).
initial_level(cell8, n, 1).
initial_level(cell9, cI, 0).
initial_level(cell9, cro, 2).
initial_level(cell9, cII, 0).
initial_level(cell9, n, 0).
initial_level(cell10, cI, 0).
initial_level(cell10, cro, 2).
initial_level(cell10, cII, 0).
initial_level(cell10, n, 1).
initial_level(cell11, cI, 0).
initial_level(cell11, cro, 2).
initial_level(cell11, cII, 1).
initial_level(cell11, n, 0).
initial_level(cell12, cI, 0).
initial_level(cell12, cro, 2).
initial_level(cell12, cII, 1).
initial_level(cell12, n, 1).
initial_level(cell13, cI, 0).
initial_level(cell13, cro, 3).
initial_level(cell13, cII, 0).
initial_level(cell13, n, 0).
initial_level(cell14, cI, 0).
initial_level(cell14, cro, 3).
initial_level(cell14, cII, 0).
initial_level(cell14, n, 1).
initial_level(cell15, cI, 0).
initial_level(cell15, cro, 3).
initial_level(cell15, cII, 1).
initial_level(cell15, n, 0).
initial_level(cell16, cI, 0).
initial_level(cell16, cro, 3).
initial_level(cell16, cII, 1).
initial_level(cell16, n, 1).
initial_level(cell17, cI, 1).
initial_level(cell17, cro, 0).
initial_level(cell17, cII, 0).
initial_level(cell17, n, 0).
initial_level(cell18, cI, 1).
initial_level(cell18, cro, 0).
initial_level(cell18, cII, 0).
initial_level(cell18, n, 1).
initial_level(cell19, cI, 1).
initial_level(cell19, cro, 0).
initial_level(cell19, cII, 1).
initial_level(cell19, n, 0).
initial_level(cell20, cI, 1).
initial_level(cell20, cro, 0).
initial_level(cell20, cII, 1).
initial_level(cell20, n, 1).
initial_level(cell21, cI, 1).
initial_level(cell21, cro, 1).
initial_level(cell21, cII, 0).
initial_level(cell21, n, 0).
initial_level(cell22, cI, 1).
initial_level(cell22, cro, 1).
initial_level(cell22, cII, 0).
initial_level(cell22, n, 1).
initial_level(cell23, cI, 1).
initial_level(cell23, cro, 1).
initial_level(cell23, cII, 1).
initial_level(cell23, n, 0).
initial_level(cell24, cI, 1).
initial_level(cell24, cro, 1).
initial_level(cell24, cII, 1).
initial_level(cell24, n, 1).
initial_level(cell25, cI, 1).
initial_level(cell25, cro, 2).
initial_level(cell25, cII, 0).
initial_level(cell25, n, 0).
initial_level(cell26, cI, 1).
initial_level(cell26, cro, 2).
initial_level(cell26, cII, 0).
initial_level(cell26, n, 1).
initial_level(cell27, cI, 1).
initial_level(cell27, cro, 2).
initial_level(cell27, cII, 1).
initial_level(cell27, n, 0).
initial_level(cell28, cI, 1).
initial_level(cell28, cro, 2).
initial_level(cell28, cII, 1).
initial_level(cell28, n, 1).
initial_level(cell29, cI, 1).
initial_level(cell29, cro, 3).
initial_level(cell29, cII, 0).
initial_level(cell29, n, 0).
initial_level(cell30, cI, 1).
initial_level(cell30, cro, 3).
initial_level(cell30, cII, 0).
initial_level(cell30, n, 1).
initial_level(cell31, cI, 1).
initial_level(cell31, cro, 3).
initial_level(cell31, cII, 1).
initial_level(cell31, n, 0).
initial_level(cell32, cI, 1).
initial_level(cell32, cro, 3).
initial_level(cell32, cII, 1).
initial_level(cell32, n, 1).
initial_level(cell33, cI, 2).
initial_level(cell33, cro, 0).
initial_level(cell33, cII, 0).
initial_level(cell33, n, 0).
initial_level(cell34, cI, 2).
initial_level(cell34, cro, 0).
initial_level(cell34, cII, 0).
initial_level(cell34, n, 1).
initial_level(cell35, cI, 2).
initial_level(cell35, cro, 0).
initial_level(cell35, cII, 1).
initial_level(cell35, n, 0).
initial_level(cell36, cI, 2).
initial_level(cell36, cro, 0).
initial_level(cell36, cII, 1).
initial_level(cell36, n, 1).
initial_level(cell37, cI, 2).
initial_level(cell37, cro, 1).
initial_level(cell37, cII, 0).
initial_level(cell37, n, 0).
initial_level(cell38, cI, 2).
initial_level(cell38, cro, 1).
initial_level(cell38, cII, 0).
initial_level(cell38, n, 1).
initial_level(cell39, cI, 2).
initial_level(cell39, cro, 1).
initial_level(cell39, cII, 1).
initial_level(cell39, n, 0).
initial_level(cell40, cI, 2).
initial_level(cell40, cro, 1).
initial_level(cell40, cII, 1).
initial_level(cell40, n, 1).
initial_level(cell41, cI, 2).
initial_level(cell41, cro, 2).
initial_level(cell41, cII, 0).
initial_level(cell41, n, 0).
initial_level(cell42, cI, 2).
initial_level(cell42, cro, 2).
initial_level(cell42, cII, 0).
initial_level(cell42, n, 1).
initial_level(cell43, cI, 2).
initial_level(cell43, cro, 2).
initial_level(cell43, cII, 1).
initial_level(cell43, n, 0).
initial_level(cell44, cI, 2).
initial_level(cell44, cro, 2).
initial_level(cell44, cII, 1).
initial_level(cell44, n, 1).
initial_level(cell45, cI, 2).
initial_level(cell45, cro, 3).
initial_level(cell45, cII, 0).
initial_level(cell45, n, 0).
initial_level(cell46, cI, 2).
initial_level(cell46, cro, 3).
initial_level(cell46, cII, 0).
initial_level(cell46, n, 1).
initial_level(cell47, cI, 2).
initial_level(cell47, cro, 3).
initial_level(cell47, cII, 1).
initial_level(cell47, n, 0).
initial_level(cell48, cI, 2).
initial_level(cell48, cro, 3).
initial_level(cell48, cII, 1).
initial_level(cell48, n, 1).
delay(cell1, cI, up, 7).
delay(cell1, cI, down, 9).
delay(cell1, cro, up, 8).
delay(cell1, cro, down, 5).
delay(cell1, cII, up, 4).
delay(cell1, cII, down, 5).
delay(cell1, n, up, 3).
delay(cell1, n, down, 4).
delay(cell2, cI, up, 7).
delay(cell2, cI, down, 9).
delay(cell2, cro, up, 8).
delay(cell2, cro, down, 5).
delay(cell2, cII, up, 4).
delay(cell2, cII, down, 5).
delay(cell2, n, up, 3).
delay(cell2, n, down, 4).
delay(cell3, cI, up, 7).
delay(cell3, cI, down, 9).
delay(cell3, cro, up, 8).
delay(cell3, cro, down, 5).
delay(cell3, cII, up, 4).
delay(cell3, cII, down, 5).
delay(cell3, n, up, 3).
delay(cell3, n, down, 4).
delay(cell4, cI, up, 7).
delay(cell4, cI, down, 9).
delay(cell4, cro, up, 8).
delay(cell4, cro, down, 5).
delay(cell4, cII, up, 4).
delay(cell4, cII, down, 5).
delay(cell4, n, up, 3).
delay(cell4, n, down, 4).
delay(cell5, cI, up, 7).
delay(cell5, cI, down, 9).
delay(cell5, cro, up, 8).
delay(cell5, cro, down, 5).
delay(cell5, cII, up, 4).
delay(cell5, cII, down, 5).
delay(cell5, n, up, 3).
delay(cell5, n, down, 4).
delay(cell6, cI, up, 7).
delay(cell6, cI, down, 9).
delay(cell6, cro, up, 8).
delay(cell6, cro, down, 5).
delay(cell6, cII, up, 4).
delay(cell6, cII, down, 5).
delay(cell6, n, up, 3).
delay(cell6, n, down, 4).
delay(cell7, cI, up, 7).
delay(cell7, cI, down, 9).
delay(cell7, cro, up, 8).
delay(cell7, cro, down, 5).
delay(cell7, cII, up, 4).
delay(cell7, cII, down, 5).
delay(cell7, n, up, 3).
delay(cell7, n, down, 4).
delay(cell8, cI, up, 7).
delay(cell8, cI, down, 9).
delay(cell8, cro, up, 8).
delay(cell8, cro, down, 5).
delay(cell8, cII, up, 4).
delay(cell8, cII, down, 5).
delay(cell8, n, up, 3).
delay(cell8, n, down, 4).
delay(cell9, cI, up, 7).
delay(cell9, cI, down, 9).
delay(cell9, cro, up, 8).
delay(cell9, cro, down, 5).
delay(cell9, cII, up, 4).
delay(cell9, cII, down, 5).
delay(cell9, n, up, 3).
delay(cell9, n, down, 4).
delay(cell10, cI, up, 7).
delay(cell10, cI, down, 9).
delay(cell10, cro, up, 8).
delay(cell10, cro, down, 5).
delay(cell10, cII, up, 4).
delay(cell10, cII, down, 5).
delay(cell10, n, up, 3).
delay(cell10, n, down, 4).
delay(cell11, cI, up, 7).
delay(cell11, cI, down, 9).
delay(cell11, cro, up, 8).
delay(cell11, cro, down, 5).
delay(cell11, cII, up, 4).
delay(cell11, cII, down, 5).
delay(cell11, n, up, 3).
delay(cell11, n, down, 4).
delay(cell12, cI, up, 7).
delay(cell12, cI, down, 9).
delay(cell12, cro, up, 8).
delay(cell12, cro, down, 5).
delay(cell12, cII, up, 4).
delay(cell12, cII, down, 5).
delay(cell12, n, up, 3).
delay(cell12, n, down, 4).
delay(cell13, cI, up, 7).
delay(cell13, cI, down, 9).
delay(cell13, cro, up, 8).
delay(cell13, cro, down, 5).
delay(cell13, cII, up, 4).
delay(cell13, cII, down, 5).
delay(cell13, n, up, 3).
delay(cell13, n, down, 4).
delay(cell14, cI, up, 7).
delay(cell14, cI, down, 9).
delay(cell14, cro, up, 8).
delay(cell14, cro, down, 5).
delay(cell14, cII, up, 4).
delay(cell14, cII, down, 5).
delay(cell14, n, up, 3).
delay(cell14, n, down, 4).
delay(cell15, cI, up, 7).
delay(cell15, cI, down, 9).
delay(cell15, cro, up, 8).
delay(cell15, cro, down, 5).
delay(cell15, cII, up, 4).
delay(cell15, cII, down, 5).
delay(cell15, n, up, 3).
delay(cell15, n, down, 4).
delay(cell16, cI, up, 7).
delay(cell16, cI, down, 9).
delay(cell16, cro, up, 8).
delay(cell16, cro, down, 5).
delay(cell16, cII, up, 4).
delay(cell16, cII, down, 5).
delay(cell16, n, up, 3).
delay(cell16, n, down, 4).
delay(cell17, cI, up, 7).
delay(cell17, cI, down, 9).
delay(cell17, cro, up, 8).
delay(cell17, cro, down, 5).
delay(cell17, cII, up, 4).
delay(cell17, cII, down, 5).
delay(cell17, n, up, 3).
delay(cell17, n, down, 4).
delay(cell18, cI, up, 7).
delay(cell18, cI, down, 9).
delay(cell18, cro, up, 8).
delay(cell18, cro, down, 5).
delay(cell18, cII, up, 4).
delay(cell18, cII, down, 5).
delay(cell18, n, up, 3).
delay(cell18, n, down, 4).
delay(cell19, cI, up, 7).
delay(cell19, cI, down, 9).
delay(cell19, cro, up, 8).
delay(cell19, cro, down, 5).
delay(cell19, cII, up, 4).
delay(cell19, cII, down, 5).
delay(cell19, n, up, 3).
delay(cell19, n, down, 4).
delay(cell20, cI, up, 7).
delay(cell20, cI, down, 9).
delay(cell20, cro, up, 8).
delay(cell20, cro, down, 5).
delay(cell20, cII, up, 4).
delay(cell20, cII, down, 5).
delay(cell20, n, up, 3).
delay(cell20, n, down, 4).
delay(cell21, cI, up, 7).
delay(cell21, cI, down, 9).
delay(cell21, cro, up, 8).
delay(cell21, cro, down, 5).
delay(cell21, cII, up, 4).
delay(cell21, cII, down, 5).
delay(cell21, n, up, 3).
delay(cell21, n, down, 4).
delay(cell22, cI, up, 7).
delay(cell22, cI, down, 9).
delay(cell22, cro, up, 8).
delay(cell22, cro, down, 5).
delay(cell22, cII, up, 4).
delay(cell22, cII, down, 5).
delay(cell22, n, up, 3).
delay(cell22, n, down, 4).
delay(cell23, cI, up, 7).
delay(cell23, cI, down, 9).
delay(cell23, cro, up, 8).
delay(cell23, cro, down, 5).
delay(cell23, cII, up, 4).
delay(cell23, cII, down, 5).
delay(cell23, n, up, 3).
delay(cell23, n, down, 4).
delay(cell24, cI, up, 7).
delay(cell24, cI, down, 9).
delay(cell24, cro, up, 8).
delay(cell24, cro, down, 5).
delay(cell24, cII, up, 4).
delay(cell24, cII, down, 5).
delay(cell24, n, up, 3).
delay(cell24, n, down, 4).
delay(cell25, cI, up, 7).
delay(cell25, cI, down, 9).
delay(cell25, cro, up, 8).
delay(cell25, cro, down, 5).
delay(cell25, cII, up, 4).
delay(cell25, cII, down, 5).
delay(cell25, n, up, 3).
delay(cell25, n, down, 4).
delay(cell26, cI, up, 7).
delay(cell26, cI, down, 9).
delay(cell26, cro, up, 8).
delay(cell26, cro, down, 5).
delay(cell26, cII, up, 4).
delay(cell26, cII, down, 5).
delay(cell26, n, up, 3).
delay(cell26, n, down, 4).
delay(cell27, cI, up, 7).
delay(cell27, cI, down, 9).
delay(cell27, cro, up, 8).
delay(cell27, cro, down, 5).
delay(cell27, cII, up, 4).
delay(cell27, cII, down, 5).
delay(cell27, n, up, 3).
delay(cell27, n, down, 4).
delay(cell28, cI, up, 7).
delay(cell28, cI, down, 9).
delay(cell28, cro, up, 8).
delay(cell28, cro, down, 5).
delay(cell28, cII, up, 4).
delay(cell28, cII, down, 5).
delay(cell28, n, up, 3).
delay(cell28, n, down, 4).
delay(cell29, cI, up, 7).
delay(cell29, cI, down, 9).
delay(cell29, cro, up, 8).
delay(cell29, cro, down, 5).
delay(cell29, cII, up, 4).
delay(cell29, cII, down, 5).
delay(cell29, n, up, 3).
delay(cell29, n, down, 4).
delay(cell30, cI, up, 7).
delay(cell30, cI, down, 9).
delay(cell30, cro, up, 8).
delay(cell30, cro, down, 5).
delay(cell30, cII, up, 4).
delay(cell30, cII, down, 5).
delay(cell30, n, up, 3).
delay(cell30, n, down, 4).
delay(cell31, cI, up, 7).
delay(cell31, cI, down, 9).
delay(cell31, cro, up, 8).
delay(cell31, cro, down, 5).
delay(cell31, cII, up, 4).
delay(cell31, cII, down, 5).
delay(cell31, n, up, 3).
delay(cell31, n, down, 4).
delay(cell32, cI, up, 7).
delay(cell32, cI, down, 9).
delay(cell32, cro, up, 8).
delay(cell32, cro, down, 5).
delay(cell32, cII, up, 4).
delay(cell32, cII, down, 5).
delay(cell32, n, up, 3).
delay(cell32, n, down, 4).
delay(cell33, cI, up, 7).
delay(cell33, cI, down, 9).
delay(cell33, cro, up, 8).
delay(cell33, cro, down, 5).
delay(cell33, cII, up, 4).
delay(cell33, cII, down, 5).
delay(cell33, n, up, 3).
delay(cell33, n, down, 4).
delay(cell34, cI, up, 7).
delay(cell34, cI, down, 9).
delay(cell34, cro, up, 8).
delay(cell34, cro, down, 5).
delay(cell34, cII, up, 4).
delay(cell34, cII, down, 5).
delay(cell34, n, up, 3).
delay(cell34, n, down, 4).
delay(cell35, cI, up, 7).
delay(cell35, cI, down, 9).
delay(cell35, cro, up, 8).
delay(cell35, cro, down, 5).
delay(cell35, cII, up, 4).
delay(cell35, cII, down, 5).
delay(cell35, n, up, 3).
delay(cell35, n, down, 4).
delay(cell36, cI, up, 7).
delay(cell36, cI, down, 9).
delay(cell36, cro, up, 8).
delay(cell36, cro, down, 5).
delay(cell36, cII, up, 4).
delay(cell36, cII, down, 5).
delay(cell36, n, up, 3).
delay(cell36, n, down, 4).
delay(cell37, cI, up, 7).
delay(cell37, cI, down, 9).
delay(cell37, cro, up, 8).
delay(cell37, cro, down, 5).
delay(cell37, cII, up, 4).
delay(cell37, cII, down, 5).
delay(cell37, n, up, 3).
delay(cell37, n, down, 4).
delay(cell38, cI, up, 7).
delay(cell38, cI, down, 9).
delay(cell38, cro, up, 8).
delay(cell38, cro, down, 5).
delay(cell38, cII, up, 4).
delay(cell38, cII, down, 5).
delay(cell38, n, up, 3).
delay(cell38, n, down, 4).
delay(cell39, cI, up, 7).
delay(cell39, cI, down, 9).
delay(cell39, cro, up, 8).
delay(cell39, cro, down, 5).
delay(cell39, cII, up, 4).
delay(cell39, cII, down, 5).
delay(cell39, n, up, 3).
delay(cell39, n, down, 4).
delay(cell40, cI, up, 7).
delay(cell40, cI, down, 9).
delay(cell40, cro, up, 8).
delay(cell40, cro, down, 5).
delay(cell40, cII, up, 4).
delay(cell40, cII, down, 5).
delay(cell40, n, up, 3).
delay(cell40, n, down, 4).
delay(cell41, cI, up, 7).
delay(cell41, cI, down, 9).
delay(cell41, cro, up, 8).
delay(cell41, cro, down, 5).
delay(cell41, cII, up, 4).
delay(cell41, cII, down, 5).
delay(cell41, n, up, 3).
delay(cell41, n, down, 4).
delay(cell42, cI, up, 7).
delay(cell42, cI, down, 9).
delay(cell42, cro, up, 8).
delay(cell42, cro, down, 5).
delay(cell42, cII, up, 4).
delay(cell42, cII, down, 5).
delay(cell42, n, up, 3).
delay(cell42, n, down, 4).
delay(cell43, cI, up, 7).
delay(cell43, cI, down, 9).
delay(cell43, cro, up, 8).
delay(cell43, cro, down, 5).
delay(cell43, cII, up, 4).
delay(cell43, cII, down, 5).
delay(cell43, n, up, 3).
delay(cell43, n, down, 4).
delay(cell44, cI, up, 7).
delay(cell44, cI, down, 9).
delay(cell44, cro, up, 8).
delay(cell44, cro, down, 5).
delay(cell44, cII, up, 4).
delay(cell44, cII, down, 5).
delay(cell44, n, up, 3).
delay(cell44, n, down, 4).
delay(cell45, cI, up, 7).
delay(cell45, cI, down, 9).
delay(cell45, cro, up, 8).
delay(cell45, cro, down, 5).
delay(cell45, cII, up, 4).
delay(cell45, cII, down, 5).
delay(cell45, n, up, 3).
delay(cell45, n, down, 4).
delay(cell46, cI, up, 7).
delay(cell46, cI, down, 9).
delay(cell46, cro, up, 8).
delay(cell46, cro, down, 5).
delay(cell46, cII, up, 4).
delay(cell46, cII, down, 5).
delay(cell46, n, up, 3).
delay(cell46, n, down, 4).
delay(cell47, cI, up, 7).
delay(cell47, cI, down, 9).
delay(cell47, cro, up, 8).
delay(cell47, cro, down, 5).
delay(cell47, cII, up, 4).
delay(cell47, cII, down, 5).
delay(cell47, n, up, 3).
delay(cell47, n, down, 4).
delay(cell48, cI, up, 7).
delay(cell48, cI, down, 9).
delay(cell48, cro, up, 8).
delay(cell48, cro, down, 5).
delay(cell48, cII, up, 4).
delay(cell48, cII, down, 5).
delay(cell48, n, up, 3).
delay(cell48, n, down, 4).
