import { fileType } from '@heterosis/contracts/data/file-types';
import { fileUploadsApi } from '@heterosis/contracts/endpoints/data/file-uploads';
import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import * as z from 'zod';
import { projectId } from './reading-tools.ts';
import { defineTool } from './tool.ts';

/** More does not pass through a conversation; larger files are uploaded in the browser or by the command line. */
const MOST_CHARACTERS = 1_000_000;
const TEXT = 'text/plain; charset=utf-8';

export const UPLOAD_TOOL = defineTool({
  name: 'upload_table',
  title: 'Upload a table',
  description:
    'Stores a text file (CSV, TSV, VCF …) of at most a million characters in the project; its check begins. Larger files are uploaded in the browser, or by `heterosis remote upload`.',
  input: z.object({
    project_id: projectId,
    name: z.string().min(1).max(255).describe('With its ending, for example trial.csv.'),
    file_type: fileType,
    text: z.string().min(1).max(MOST_CHARACTERS),
  }),
  writes: true,
  async run({ call, sendBytes }, { project_id, name, file_type, text }) {
    const bytes = Buffer.from(text, 'utf8');
    const body = { name, file_type, size_bytes: bytes.byteLength, content_type: TEXT };
    const link = await call(fileUploadsApi.createUploadLink, { project_id, body });
    await sendBytes(link.data.put_url, bytes, TEXT);
    const { file_id } = link.data;
    const { data, address } = await call(filesApi.createFile, { project_id, body: { name, file_type, file_id } });
    return {
      data,
      api: [address],
      page: `/projects/${project_id}/files/${file_id}`,
      next: 'Its check has begun: read_file_problems says what it finds.',
    };
  },
});
