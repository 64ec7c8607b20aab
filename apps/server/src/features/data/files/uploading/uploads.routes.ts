import { fileUploadsApi } from '@heterosis/contracts/endpoints/data/file-uploads';
import { bind } from '../../../../platform/http/bind.ts';
import * as uploads from './uploads.service.ts';

/**
 * Steps 1 and 2 of an upload; step 3 creates the file and is among the file routes. Uploads are private to their
 * user.
 */
export const uploadRoutes = bind(fileUploadsApi, uploads);
