import { useQueryClient } from '@tanstack/react-query';
import { fileQuery, filesQuery } from '../files.api.ts';
import { sendUpload } from '../upload/sending/send-upload.ts';
import { freeName } from '../upload/upload-names.ts';
import { refreshFiles } from '../upload/uploads.ts';

const CHECK_MS = 400;

/**
 * Uploads a crossing table and waits until it is checked: simulations take nothing else. A name that is only `proposed`
 * is replaced by one that no file has.
 */
export function useSaveCrossingTable(projectId: string) {
  const client = useQueryClient();
  return async (given: { name: string } | { proposed: string }, csv: string): Promise<{ id: string; name: string }> => {
    const name = 'name' in given ? given.name : await freeOf(given.proposed);
    const none = (): void => {};
    const { id } = await sendUpload(
      {
        projectId,
        folderId: null,
        fileType: 'CROSSING_TABLE',
        name,
        file: new File([csv], name, { type: 'text/csv' }),
      },
      { signal: new AbortController().signal, onStage: none, onBegun: none, onSent: none, onPause: none },
    );
    for (;;) {
      const { status } = await client.fetchQuery({ ...fileQuery(projectId, id), staleTime: 0 });
      if (status !== 'UPLOADED' && status !== 'CHECKING') break;
      await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
    }
    await refreshFiles(projectId);
    return { id, name };
  };

  async function freeOf(proposed: string): Promise<string> {
    const files = await client.fetchQuery({ ...filesQuery(projectId, { folderId: null }), staleTime: 0 });
    const taken = new Set(files.map((file) => file.name.toLowerCase()));
    return taken.has(proposed.toLowerCase()) ? freeName(proposed, taken) : proposed;
  }
}
