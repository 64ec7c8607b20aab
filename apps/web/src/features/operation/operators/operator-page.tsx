import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../components/page/page.tsx';
import { PageNotFound } from '../../../components/page/page-not-found.tsx';
import { isNotFound } from '../../../lib/api/problem.ts';
import classes from './operator-page.module.css';

const SECTIONS = ['registrations', 'organizations', 'work', 'mails', 'audit'] as const;
export type OperatorSection = (typeof SECTIONS)[number];

/** Frame of the pages of operators. `error` is that of its list: to everybody else the page does not exist. */
export function OperatorPage(props: { section: OperatorSection; error: unknown; children: ReactNode }) {
  const { section, error, children } = props;
  const { t } = useTranslation();
  if (isNotFound(error)) return <PageNotFound />;
  return (
    <Page title={t(`operator.${section}.title`)}>
      <OperatorLinks />
      {children}
    </Page>
  );
}

export function OperatorLinks() {
  const { t } = useTranslation();
  return (
    <nav aria-label={t('operator.pages')}>
      <ul className={classes.links}>
        {SECTIONS.map((section) => (
          <li key={section}>
            <Link to={`/operator/${section}`} activeOptions={{ exact: true, includeSearch: false }}>
              {t(`operator.${section}.title`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
