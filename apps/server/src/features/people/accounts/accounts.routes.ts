import { accountsApi } from '@heterosis/contracts/endpoints/people/accounts';
import { bind } from '../../../platform/http/bind.ts';
import * as account from './account-data.service.ts';
import * as profile from './profile.service.ts';

/** The account of the caller. */
export const accountRoutes = bind(accountsApi, { ...profile, ...account });
