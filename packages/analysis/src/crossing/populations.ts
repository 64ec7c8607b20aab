import { POPULATIONS as ALL, type Population } from '@heterosis/statgen/crossing/population';

/** What can be grown from a cross, in the order in which it is offered. */
export const POPULATIONS: readonly Population[] = ALL;
