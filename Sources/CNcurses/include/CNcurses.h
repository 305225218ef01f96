// The terminal as about twenty functions. CNcurses.c is the only file that includes <ncurses.h>.
#ifndef WEIR_CNCURSES_H
#define WEIR_CNCURSES_H

#endif
