import { pedigreeApi } from '@heterosis/contracts/endpoints/data/pedigree';
import { bind } from '../../../platform/http/bind.ts';
import * as pedigree from './pedigree.service.ts';

/** Pedigrees of the germplasm of an organization and of a project. */
export const pedigreeRoutes = bind(pedigreeApi, pedigree);
