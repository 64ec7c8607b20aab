/** Whether this is `npm run test:all`, which leaves nothing out. */
export const isWhole: boolean = process.env['TEST_ALL'] === '1';

/** How many of these random cases are tried: a quarter, and all of them in `npm run test:all`. */
export const someOf = (cases: number): number => (isWhole ? cases : Math.ceil(cases / 4));
