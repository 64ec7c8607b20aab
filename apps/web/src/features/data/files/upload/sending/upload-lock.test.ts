import { afterEach, describe, expect, it, vi } from 'vitest';
import { alone, idsUnderWay } from './upload-lock.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Work that lasts until it is told to end. */
function longWork() {
  let end = (): void => {};
  const done = new Promise<string>((resolve) => {
    end = () => resolve('sent');
  });
  return { end: () => end(), work: () => done };
}

describe('one tab sends an upload', () => {
  it('and another that tries is told so at once, until the first has ended', async () => {
    const { end, work } = longWork();
    const first = alone('a', work);
    await expect(alone('a', async () => 'twice')).rejects.toMatchObject({ code: 'client/upload-elsewhere' });
    end();
    expect(await first).toBe('sent');
    expect(await alone('a', async () => 'afterwards')).toBe('afterwards');
  });

  it('while other uploads go on beside it', async () => {
    const { end, work } = longWork();
    const first = alone('a', work);
    expect(await alone('b', async () => 'beside')).toBe('beside');
    end();
    await first;
  });

  it('and lets go of it when it fails', async () => {
    await expect(alone('a', () => Promise.reject(new Error('cut')))).rejects.toThrow('cut');
    expect(await alone('a', async () => 'again')).toBe('again');
  });

  it('is possible without Web Locks too', async () => {
    vi.stubGlobal('navigator', {});
    expect(await alone('a', async () => 'sent')).toBe('sent');
    expect(await idsUnderWay()).toEqual(new Set());
  });
});

describe('idsUnderWay', () => {
  it('names the uploads being sent, and no other lock', async () => {
    const { end, work } = longWork();
    const sending = alone('a', work);
    const other = navigator.locks.request('heterosis.session', work);
    expect(await idsUnderWay()).toEqual(new Set(['a']));
    end();
    await Promise.all([sending, other]);
    expect(await idsUnderWay()).toEqual(new Set());
  });
});
