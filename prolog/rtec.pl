:- module(rtec, []).

/** <module> rtec: the Run-Time Event Calculus

The facade: loads the engine and re-exports what users of the Prolog half
call. Python goes through rtec(bridge).
*/

:- multifile user:file_search_path/2.
:- prolog_load_context(directory, Dir),
   (   user:file_search_path(rtec, _)
   ->  true
   ;   atom_concat(Dir, '/rtec', Folder),
       asserta(user:file_search_path(rtec, Folder))
   ).

:- reexport(rtec/intervals).
:- use_module(rtec/bridge).
