import { foldersApi } from '@heterosis/contracts/endpoints/data/folders';
import { bind } from '../../../../platform/http/bind.ts';
import * as folders from './folders.service.ts';

export const folderRoutes = bind(foldersApi, folders);
