import { Problem } from '../../../../../lib/api/problem.ts';

/** One tab at a time sends an upload. Without Web Locks (plain http) two would send the same parts, to no harm. */
export async function alone<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
  if (!('locks' in navigator)) return await work();
  return await navigator.locks.request(lockName(id), { ifAvailable: true }, async (lock) => {
    if (lock !== null) return await work();
    throw new Problem({
      code: 'client/upload-elsewhere',
      title: 'This file is being uploaded already',
      detail: 'Another tab of this browser is uploading this file to this project. Wait for it, or close that tab.',
    });
  });
}

const LOCK_PREFIX = 'heterosis.upload.';
const lockName = (id: string): string => `${LOCK_PREFIX}${id}`;

/** Uploads that some tab of this browser is sending. */
export async function idsUnderWay(): Promise<ReadonlySet<string>> {
  if (!('locks' in navigator)) return new Set();
  const { held = [] } = await navigator.locks.query();
  const names = held.flatMap(({ name }) => (name?.startsWith(LOCK_PREFIX) ? [name.slice(LOCK_PREFIX.length)] : []));
  return new Set(names);
}
