import { UPLOAD_PART_BYTES } from '@heterosis/contracts/data/file-uploads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type FakeWindow,
  installBrowser,
  installServer,
  installUploadLine,
  noConnection,
  type SentRequest,
} from '../../../../testing/browser.ts';
import { eventually } from '../../../../testing/eventually.ts';
import { PROJECT, UploadServer } from '../../../../testing/upload-server.ts';
import type { Upload } from './uploads.ts';

let browser: FakeWindow;
let server: UploadServer;
let requests: SentRequest[];
let isOnline: boolean;

/** The store of a freshly opened tab. */
async function openTab() {
  vi.resetModules();
  return await import('./uploads.ts');
}

type Store = Awaited<ReturnType<typeof openTab>>;

const file = (name: string, content: string | Uint8Array<ArrayBuffer> = name): File =>
  new File([content], name, { lastModified: 1_000 });

const request = (chosen: File, name = chosen.name) => ({
  projectId: PROJECT,
  folderId: null,
  fileType: null,
  name,
  file: chosen,
});

const byName = (store: Store, name: string): Upload | undefined => store.getUploads().find((one) => one.name === name);

/** Until the upload is in this state. */
async function reach(store: Store, name: string, state: Upload['state']): Promise<Upload> {
  await eventually(() => expect(byName(store, name)?.state).toBe(state));
  return byName(store, name) as Upload;
}

beforeEach(() => {
  browser = installBrowser();
  server = new UploadServer();
  isOnline = true;
  requests = installServer((sent) => (isOnline ? server.handle(sent) : noConnection()));
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Every PUT arrives. */
const takeAll = () =>
  installUploadLine(({ url }) => {
    server.receive(url);
    return { status: 200 };
  });

describe('a small file', () => {
  it('goes in one piece and becomes a file, with the hash of its bytes', async () => {
    const puts = takeAll();
    const store = await openTab();
    store.startUploads([request(file('trial.csv', 'a,b\n1,2\n'))]);
    const sent = await reach(store, 'trial.csv', 'sent');
    expect(puts).toHaveLength(1);
    expect(sent).toMatchObject({ sent: 8, size: 8, problem: undefined });
    const [made] = server.files;
    expect(made?.id).toBe(sent.uploadId);
    // sha256sum of these eight bytes.
    expect(made?.body.sha256).toBe('492d5ea496056f1a6a6592241032fab764c321596317930b4fa0e1e8bc3b7470');
    expect(store.isActive(sent)).toBe(false);
  });

  it('that is refused stays in the list with the reason, and goes under another name', async () => {
    takeAll();
    server.taken.add('trial.csv');
    const store = await openTab();
    store.startUploads([request(file('trial.csv'))]);
    const failed = await reach(store, 'trial.csv', 'failed');
    expect(failed.problem?.code).toBe('common/name-taken');
    expect(server.files).toEqual([]);
    store.retryUpload(failed.id, 'trial (2).csv');
    await reach(store, 'trial (2).csv', 'sent');
    expect(server.files.map(({ name }) => name)).toEqual(['trial (2).csv']);
    expect(store.getUploads()).toHaveLength(1);
  });

  it('is begun again when its address has expired before the bytes arrived', async () => {
    let refusals = 0;
    installUploadLine(({ url }) => {
      if (refusals++ === 0) return { status: 403, text: '<Error>Request has expired</Error>' };
      server.receive(url);
      return { status: 200 };
    });
    const store = await openTab();
    store.startUploads([request(file('trial.csv'))]);
    await reach(store, 'trial.csv', 'sent');
    expect(requests.filter(({ url }) => url.endsWith('upload_link'))).toHaveLength(2);
    expect(server.files).toHaveLength(1);
  });
});

describe('the list of uploads', () => {
  it('sends two at once, the others in their order', async () => {
    const arrive: (() => void)[] = [];
    installUploadLine(
      ({ url }) =>
        new Promise((resolve) => {
          arrive.push(() => {
            server.receive(url);
            resolve({ status: 200 });
          });
        }),
    );
    const store = await openTab();
    store.startUploads(['a', 'b', 'c'].map((name) => request(file(name))));
    await eventually(() => expect(arrive).toHaveLength(2));
    expect(['a', 'b', 'c'].map((name) => byName(store, name)?.state)).toEqual(['sending', 'sending', 'waiting']);
    arrive[1]?.();
    await reach(store, 'b', 'sent');
    await eventually(() => expect(arrive).toHaveLength(3));
    arrive[0]?.();
    arrive[2]?.();
    await reach(store, 'a', 'sent');
    await reach(store, 'c', 'sent');
  });

  it('loses what has ended when it is cleared, and keeps what is under way', async () => {
    installUploadLine(({ url }) => {
      if (server.begun.size > 1) return 'silent';
      server.receive(url);
      return { status: 200 };
    });
    const store = await openTab();
    store.startUploads([request(file('done'))]);
    await reach(store, 'done', 'sent');
    server.addBegun({ name: 'other', size_bytes: 1, folder_id: null, file_type: null }, []);
    store.startUploads([request(file('running'))]);
    await reach(store, 'running', 'sending');
    store.dismissEnded();
    expect(store.getUploads().map(({ name }) => name)).toEqual(['running']);
  });

  it('asks before the tab is closed, only while something is being sent', async () => {
    installUploadLine(() => 'silent');
    const store = await openTab();
    const leave = (): boolean => !browser.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(leave()).toBe(false);
    store.startUploads([request(file('trial.csv'))]);
    const sending = await reach(store, 'trial.csv', 'sending');
    expect(leave()).toBe(true);
    store.cancelUpload(sending.id);
    expect(leave()).toBe(false);
  });

  it('removes from the server what a cancelled upload has sent', async () => {
    const puts = installUploadLine(() => 'silent');
    const store = await openTab();
    store.startUploads([request(file('trial.csv'))]);
    const { id } = await reach(store, 'trial.csv', 'sending');
    await eventually(() => expect(puts).toHaveLength(1));
    const uploadId = [...server.begun.keys()][0];
    store.cancelUpload(id);
    expect(store.getUploads()).toEqual([]);
    await eventually(() => expect(server.deleted).toEqual([uploadId]));
    expect(server.files).toEqual([]);
  });
});

describe('without a connection', () => {
  it('an upload pauses with the reason and goes on when somebody asks it to', async () => {
    takeAll();
    isOnline = false;
    const store = await openTab();
    store.startUploads([request(file('trial.csv'))]);
    const paused = await reach(store, 'trial.csv', 'paused');
    expect(paused.problem?.code).toBe('auth/network-request-failed');
    expect(store.isActive(paused)).toBe(true);
    isOnline = true;
    store.retryUpload(paused.id);
    await reach(store, 'trial.csv', 'sent');
  });

  it('goes on by itself when the computer is back in a network', async () => {
    takeAll();
    isOnline = false;
    const store = await openTab();
    store.startUploads([request(file('trial.csv'))]);
    await reach(store, 'trial.csv', 'paused');
    isOnline = true;
    browser.dispatchEvent(new Event('online'));
    const sent = await reach(store, 'trial.csv', 'sent');
    expect(sent.problem).toBeUndefined();
  });
});

describe('a file in parts', () => {
  // Two whole parts and a short one.
  const content = new Uint8Array(2 * UPLOAD_PART_BYTES + 1_000).map((_, index) => index % 251);
  const large = (): File => file('panel.vcf.gz', content);

  beforeEach(() => {
    server.partBytes = UPLOAD_PART_BYTES;
  });

  const partOf = (url: string): number => Number(url.split('/').at(-1));

  /** SHA-256 of the hashes of the parts, as the server compares it. */
  const hashOfParts = async (): Promise<string> => {
    const digest = async (bytes: Uint8Array<ArrayBuffer>) =>
      new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    const parts = [0, 1, 2].map((part) => content.subarray(part * UPLOAD_PART_BYTES, (part + 1) * UPLOAD_PART_BYTES));
    const hashes = await Promise.all(parts.map(digest));
    return Buffer.from(await digest(Uint8Array.from(hashes.flatMap((hash) => [...hash])))).toString('hex');
  };

  it('is sent part by part, each with its own bytes, and compared by the hash of the parts', async () => {
    const puts = takeAll();
    const store = await openTab();
    store.startUploads([request(large())]);
    const sent = await reach(store, 'panel.vcf.gz', 'sent');
    expect(puts.map(({ url, bytes }) => [partOf(url), bytes]).sort()).toEqual([
      [1, UPLOAD_PART_BYTES],
      [2, UPLOAD_PART_BYTES],
      [3, 1_000],
    ]);
    expect(sent.sent).toBe(content.length);
    expect(server.files[0]?.body.parts_sha256).toBe(await hashOfParts());
  });

  it('sends only what has not arrived when the same file is chosen again', async () => {
    const puts = takeAll();
    let store = await openTab();
    store.startUploads([request(large())]);
    await reach(store, 'panel.vcf.gz', 'sent');
    const [link] = requests.filter(({ url }) => url.endsWith('upload_link'));
    const fingerprint = String((link?.body as Record<string, unknown> | undefined)?.fingerprint);
    const id = server.addBegun(
      { name: 'panel.vcf.gz', size_bytes: content.length, folder_id: null, file_type: null, fingerprint },
      [1, 3],
    );
    puts.length = 0;
    store = await openTab();
    store.startUploads([request(large())]);
    const sent = await reach(store, 'panel.vcf.gz', 'sent');
    expect(puts.map(({ url }) => partOf(url))).toEqual([2]);
    expect(sent.uploadId).toBe(id);
    expect(server.files.at(-1)?.body.parts_sha256).toBe(await hashOfParts());
  });

  it('begins anew for a file of the same name with other content', async () => {
    const puts = takeAll();
    const store = await openTab();
    server.addBegun(
      { name: 'panel.vcf.gz', size_bytes: content.length, folder_id: null, file_type: null, fingerprint: 'of another' },
      [1, 2],
    );
    store.startUploads([request(large())]);
    await reach(store, 'panel.vcf.gz', 'sent');
    expect(puts).toHaveLength(3);
  });

  it('repeats a part that the line has lost, and tells no byte twice', async () => {
    let cuts = 0;
    const puts = installUploadLine(({ url }) => {
      if (partOf(url) === 2 && cuts++ === 0) return 'cut';
      server.receive(url);
      return { status: 200 };
    });
    const store = await openTab();
    store.startUploads([request(large())]);
    const sent = await reach(store, 'panel.vcf.gz', 'sent');
    expect(puts.map(({ url }) => partOf(url)).sort()).toEqual([1, 2, 2, 3]);
    expect(sent.sent).toBe(content.length);
  });
});
