import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { installBrowser, installServer, type SentRequest } from '../../../../testing/browser.ts';
import { eventually } from '../../../../testing/eventually.ts';
import { PROJECT, UploadServer } from '../../../../testing/upload-server.ts';
import type * as UploadLock from './sending/upload-lock.ts';
import type * as UploadsApi from './uploads.api.ts';

let api: typeof UploadsApi;
let lock: typeof UploadLock;
let server: UploadServer;
let requests: SentRequest[];

beforeEach(async () => {
  installBrowser();
  vi.resetModules();
  server = new UploadServer();
  server.partBytes = 100;
  requests = installServer(server.handle);
  api = await import('./uploads.api.ts');
  lock = await import('./sending/upload-lock.ts');
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const begin = (name: string) => server.addBegun({ name, size_bytes: 250, folder_id: null, file_type: null }, [1]);
const interrupted = async () =>
  (await new QueryClient().fetchQuery(api.interruptedUploadsQuery(PROJECT))).map(({ name, received_bytes }) => [
    name,
    received_bytes,
  ]);

describe('interrupted uploads', () => {
  it('are those that the server has begun, with what has arrived of them', async () => {
    begin('panel.vcf.gz');
    expect(await interrupted()).toEqual([['panel.vcf.gz', 100]]);
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET /api/projects/${PROJECT}/uploads?limit=500`,
    ]);
  });

  it('are not those that a tab is sending at the moment', async () => {
    const id = begin('sending.vcf.gz');
    begin('left.vcf.gz');
    let end = (): void => {};
    const sending = lock.alone(
      id,
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    await eventually(async () => expect(await lock.idsUnderWay()).toContain(id));
    expect(await interrupted()).toEqual([['left.vcf.gz', 100]]);
    end();
    await sending;
    expect((await interrupted()).map(([name]) => name)).toEqual(['sending.vcf.gz', 'left.vcf.gz']);
  });

  it('are none where nothing was begun', async () => {
    expect(await interrupted()).toEqual([]);
  });
});

describe('discarding an upload', () => {
  it('removes it from the server', async () => {
    const id = begin('panel.vcf.gz');
    await api.deleteUpload(PROJECT, id);
    expect(server.deleted).toEqual([id]);
    expect(await interrupted()).toEqual([]);
  });

  it('tells when it has become a file meanwhile', async () => {
    await expect(api.deleteUpload(PROJECT, 'gone')).rejects.toMatchObject({ status: 404 });
  });
});
