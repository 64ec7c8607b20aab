import { programmesApi } from '@heterosis/contracts/endpoints/work/programmes';
import { bind } from '../../../platform/http/bind.ts';
import { runHandlers } from '../runs/kind/index.ts';
import { programmes } from './programme.kind.ts';
import { getMaterial } from './programme-material.service.ts';
import * as results from './programme-results.service.ts';
import { createProgramme } from './programmes.service.ts';

export const programmeRoutes = bind(programmesApi, {
  ...runHandlers(programmes),
  createRun: createProgramme,
  ...results,
  getMaterial,
});
