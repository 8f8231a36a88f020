:- module(files,
          [ with_files/3                % +Pairs, -Folder, :Goal
          ]).
:- use_module(library(filesex)).
:- use_module(library(readutil)).

/** <module> Files for tests: in a folder of their own, gone afterwards */

:- meta_predicate with_files(+, -, 0).

%!  with_files(+Pairs, -Folder, :Goal) is semidet.
%
%   Call Goal once while Folder has a file for each Name-Text of Pairs.

with_files(Pairs, Folder, Goal) :-
    tmp_file(rtec_test, Folder),
    setup_call_cleanup(
        make_directory(Folder),
        ( forall(member(Name-Text, Pairs), write_file(Folder, Name, Text)),
          once(Goal)
        ),
        delete_directory_and_contents(Folder)).

write_file(Folder, Name, Text) :-
    directory_file_path(Folder, Name, Path),
    setup_call_cleanup(
        open(Path, write, Out, [encoding(utf8)]),
        write(Out, Text),
        close(Out)).
