import { filesApi } from '@heterosis/contracts/endpoints/files';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import type { RunsOnInput } from '../../work/runs/kind/index.ts';
import * as mapping from './checking/mapping.service.ts';
import * as phasing from './deriving/phasing.service.ts';
import * as content from './file-content.service.ts';
import * as files from './files.service.ts';

/** `users` are the kinds of run that take files as inputs. */
export const fileRoutes = (users: readonly RunsOnInput[]): FeatureRoutes =>
  bind(filesApi, { ...files, ...content, ...mapping, ...phasing }, { users });
