import { trialsApi } from '@heterosis/contracts/endpoints/data/trials';
import { bind } from '../../../platform/http/bind.ts';
import { freezeTrial } from './freeze-trial.service.ts';
import * as layout from './layout.service.ts';
import * as observations from './observations.service.ts';
import { openFile } from './open-file.service.ts';
import * as trials from './trials.service.ts';

export const trialRoutes = bind(trialsApi, { ...trials, ...layout, ...observations, freezeTrial, openFile });
