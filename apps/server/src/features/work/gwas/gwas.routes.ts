import { gwasApi } from '@heterosis/contracts/endpoints/work/gwas';
import { bind } from '../../../platform/http/bind.ts';
import { runHandlers } from '../runs/kind/index.ts';
import * as fineMaps from './fine-maps/fine-maps.service.ts';
import { gwas } from './gwas.kind.ts';
import { createGwas } from './gwas.service.ts';
import * as region from './gwas-region.service.ts';
import * as results from './gwas-results.service.ts';

export const gwasRoutes = bind(gwasApi, {
  ...runHandlers(gwas),
  createRun: createGwas,
  ...results,
  ...region,
  ...fineMaps,
});
