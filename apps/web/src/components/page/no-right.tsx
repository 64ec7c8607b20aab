import type { OrganizationRight, ProjectRight } from '@heterosis/contracts/people/rights';
import { useMatches } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from './page.tsx';

/** In place of a page that only others see. */
export function NoRight() {
  const { t } = useTranslation();
  return (
    <Page title={t('error.noRightTitle')} width="text">
      <p>{t('error.noRightText')}</p>
    </Page>
  );
}

/** Whether the page at this address needs a right that is not among these. */
export function useLacksRight(rights: readonly (OrganizationRight | ProjectRight)[] | undefined): boolean {
  const needed = useMatches({ select: (matches) => matches.at(-1)?.staticData.right });
  return rights !== undefined && needed !== undefined && !rights.includes(needed);
}
