/*  What the library adds to Prolog when it is loaded. */

#include <SWI-Prolog.h>

void install_points(void);
void install_sweep(void);
void install_rows(void);
void install_dates(void);
void install_calendar(void);
void install_held(void);
void install_search(void);
void install_filling(void);
void install_changes(void);
void install_algebra(void);
void install_replans(void);
void install_live(void);
void install_spans(void);
void install_answers(void);
void install_given(void);
void install_kept(void);

install_t install(void)
{
	install_points();
	install_sweep();
	install_rows();
	install_dates();
	install_calendar();
	install_held();
	install_search();
	install_filling();
	install_changes();
	install_algebra();
	install_replans();
	install_live();
	install_spans();
	install_answers();
	install_given();
	install_kept();
}
