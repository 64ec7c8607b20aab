import { filesApi } from '@heterosis/contracts/endpoints/data/files';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import type { RunsOnInput } from '../../work/runs/kind/index.ts';
import * as check from './checking/check-file.service.ts';
import * as mapping from './checking/mapping.service.ts';
import * as bin from './delete-file.service.ts';
import * as phasing from './deriving/phasing.service.ts';
import * as content from './file-content.service.ts';
import * as exported from './file-exports.service.ts';
import * as files from './files.service.ts';
import * as markers from './marker-classes.service.ts';
import * as upload from './uploading/create-file.service.ts';

/** `consumers` are the kinds of run that take files as inputs. */
export const fileRoutes = (consumers: readonly RunsOnInput[]): FeatureRoutes =>
  bind(
    filesApi,
    { ...files, ...upload, ...bin, ...check, ...content, ...exported, ...mapping, ...markers, ...phasing },
    { consumers },
  );
