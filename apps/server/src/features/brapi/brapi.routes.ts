import type { App, FeatureRoutes } from '../../platform/http/app.ts';
import { registerCollecting } from './collecting/collecting.routes.ts';
import { CallList, followConventions, followConventionsAt } from './conventions.ts';
import { registerCrossing } from './crossing/crossing.routes.ts';
import { registerDetails } from './detail.routes.ts';
import { attributes, attributevalues, breedingmethods } from './entities/attributes.ts';
import { locations, programs, seasons, studies, trials } from './entities/core.ts';
import { crosses } from './entities/crosses.ts';
import { crossingprojects, plannedcrosses } from './entities/crossing-projects.ts';
import { events } from './entities/events.ts';
import { germplasm } from './entities/germplasm.ts';
import { images } from './entities/images.ts';
import { lists } from './entities/lists.ts';
import { maps, markerpositions } from './entities/maps.ts';
import { observations, observationunits } from './entities/observations.ts';
import { pedigree } from './entities/pedigree.ts';
import { references, referencesets } from './entities/references.ts';
import { callsets, samples } from './entities/samples.ts';
import { methods, scales, traits, variables } from './entities/variables.ts';
import { variants, variantsets } from './entities/variants.ts';
import { registerExtract } from './extract.routes.ts';
import { type BrapiContext, registerCalls, registerList, registerPart } from './list.routes.ts';
import type { ListEntity } from './list-entity.ts';
import { registerLists } from './lists/lists.routes.ts';
import { registerSending } from './sending.ts';
import { type Authenticate, registerServer, registerToken } from './server.routes.ts';
import { createStoredFiles } from './stored-files.ts';
import { registerImageWrites } from './trials/images.routes.ts';
import { registerLocationWrites } from './trials/locations.routes.ts';
import { registerSeasonWrites } from './trials/seasons.routes.ts';
import { registerStudyWrites } from './trials/studies.routes.ts';
import { registerGermplasmWrites } from './writing/germplasm-writes.routes.ts';
import { registerPedigreeWrites } from './writing/pedigree-writes.routes.ts';

/** Lists with entries; calls and matrices are registered apart. */
const ENTITIES: readonly ListEntity[] = [
  programs,
  trials,
  studies,
  locations,
  seasons,
  lists,
  germplasm,
  pedigree,
  samples,
  callsets,
  referencesets,
  references,
  variantsets,
  variants,
  maps,
  markerpositions,
  variables,
  traits,
  scales,
  methods,
  observationunits,
  observations,
  events,
  images,
  attributes,
  attributevalues,
  breedingmethods,
  crossingprojects,
  plannedcrosses,
  crosses,
];

const PARTS: readonly [of: ListEntity, part: ListEntity | 'calls'][] = [
  [variantsets, callsets],
  [variantsets, variants],
  [variantsets, 'calls'],
  [callsets, 'calls'],
  [variants, 'calls'],
];

/** BrAPI 2.1 below `/brapi/v2`, and the sign-in of older clients below `/brapi/v1` and at the root. */
export const brapiRoutes =
  (authenticate: Authenticate): FeatureRoutes =>
  async (root, services) => {
    const files = createStoredFiles(services);
    await root.register(
      async (app) => {
        followConventions(app as App);
        registerSending(app as App);
        const context: BrapiContext = { app: app as App, services, files, calls: new CallList() };
        for (const entity of ENTITIES) registerList(context, entity);
        registerCalls(context);
        for (const [of, part] of PARTS) registerPart(context, of, part);
        registerDetails(context);
        registerGermplasmWrites(context);
        registerPedigreeWrites(context);
        registerStudyWrites(context);
        registerLocationWrites(context);
        registerSeasonWrites(context);
        registerImageWrites(context);
        registerCollecting(context);
        registerCrossing(context);
        registerExtract(context);
        registerLists(context);
        registerServer(context);
        registerToken(context.app, authenticate, context.calls);
      },
      { prefix: '/brapi/v2' },
    );
    await root.register(
      async (app) => {
        followConventions(app as App);
        registerToken(app as App, authenticate, new CallList());
      },
      { prefix: '/brapi/v1' },
    );
    await root.register(async (app) => {
      followConventionsAt(app as App, '/token');
      registerToken(app as App, authenticate, new CallList());
    });
  };
