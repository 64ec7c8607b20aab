import { passportsApi } from '@heterosis/contracts/endpoints/data/passports';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import type { RunKindDefinition } from '../../work/runs/kind/index.ts';
import { chooseLoci, readChosenLoci } from './chosen-loci.service.ts';
import { readPassport } from './passports.service.ts';

export const passportRoutes = (kinds: readonly RunKindDefinition[]): FeatureRoutes =>
  bind(passportsApi, { readPassport, readChosenLoci, chooseLoci }, { kinds });
