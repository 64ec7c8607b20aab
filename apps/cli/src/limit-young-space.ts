import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const LIMIT_BYTES = 12_000_000;
const LOOK_EVERY_MS = 100;

/**
 * Stops the growth of V8's space for young objects at some 12 MB. V8 doubles it for every so many survivors, however long that
 * took, until it takes 200 MB in a run over millions of markers, whose objects are as soon gone as those of the first block.
 * A limit given at the start of Node would do the same, but would need a second start.
 */
export function limitYoungSpace(): void {
  const timer = setInterval(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (young !== undefined && young.space_size < LIMIT_BYTES) return;
    clearInterval(timer);
    setFlagsFromString('--semi-space-growth-factor=1');
  }, LOOK_EVERY_MS);
  timer.unref();
}
