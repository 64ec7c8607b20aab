import { MAX_ENTRIES_FILE } from '@heterosis/contracts/data/trials';
import { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import type { FeatureRoutes } from '../../../platform/http/app.ts';
import { bind } from '../../../platform/http/bind.ts';
import { readEntries } from './entries-file.service.ts';
import { freezeTrial } from './freeze-trial.service.ts';
import * as layout from './layout.service.ts';
import { exportMiappe } from './miappe/miappe.service.ts';
import * as observations from './observations.service.ts';
import { openFile } from './open-file.service.ts';
import * as staged from './staged.service.ts';
import * as trials from './trials.service.ts';

const SERVICES = { ...trials, ...layout, ...observations, ...staged, exportMiappe, freezeTrial, openFile, readEntries };

export const trialRoutes: FeatureRoutes = (app, services) => {
  const parser = { parseAs: 'buffer', bodyLimit: MAX_ENTRIES_FILE } as const;
  app.addContentTypeParser('application/octet-stream', parser, (_request, body, done) => done(null, body));
  return bind(trialsApi, SERVICES)(app, services);
};
