import type { Paper } from '@heterosis/contracts/common';
import { accountsApi } from '@heterosis/contracts/endpoints/people/accounts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../lib/api/api-client.ts';
import { keys } from '../../../lib/api/query-keys.ts';
import { firstPaper } from '../../../lib/browser/first-paper.ts';
import { guestProject } from '../../../lib/session/browser-session.ts';
import { profileQuery } from './accounts.api.ts';

/** The paper that the person prints on: the one chosen last, before the first choice that of the country. */
export function usePaper(): { paper: Paper; keep: (paper: Paper) => Promise<void> } {
  const client = useQueryClient();
  const { data: profile } = useQuery(profileQuery());
  return {
    paper: profile?.paper ?? firstPaper(),
    keep: async (paper) => {
      // Guests of the demo have no account that could keep it.
      if (guestProject() !== undefined) return;
      client.setQueryData(keys.me, await call(accountsApi.updatePaper, { body: { paper } }));
    },
  };
}
