import { Breadcrumbs } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { NameText } from '../table/name-text.tsx';
import classes from './page.module.css';

export interface Crumb {
  label: string;
  /** Absent on the page itself. */
  link?: Pick<LinkProps, 'to' | 'params' | 'search'>;
}

interface PageProps {
  title: string;
  /** Instead of the plain title, for example a name that can be changed in place. */
  heading?: ReactNode;
  crumbs?: Crumb[];
  /** Beside the title: a state badge, a count. */
  aside?: ReactNode;
  /** Top right: the one primary action and, at most, a menu. */
  action?: ReactNode;
  /** Text pages are narrower than tables, and a page that is one form stands in the middle. */
  width?: 'full' | 'text' | 'settings' | 'form';
  children: ReactNode;
}

/** Frame of every page: breadcrumb, title, actions. */
export function Page({ title, heading, crumbs = [], aside, action, width = 'full', children }: PageProps) {
  useDocumentTitle(title, crumbs);
  const { t } = useTranslation();
  return (
    <div className={classes.page} data-width={width}>
      {crumbs.length > 0 && (
        <nav aria-label={t('page.breadcrumb')}>
          <Breadcrumbs separator="/" className={classes.crumbs ?? ''}>
            {crumbs.map((crumb) =>
              crumb.link ? (
                <Link key={crumb.label} {...(crumb.link as LinkProps)}>
                  <NameText name={crumb.label} />
                </Link>
              ) : (
                <span key={crumb.label} aria-current="page">
                  <NameText name={crumb.label} />
                </span>
              ),
            )}
          </Breadcrumbs>
        </nav>
      )}
      <div className={classes.head}>
        <div className={classes.title}>
          {heading ?? (
            <h1>
              <NameText name={title} />
            </h1>
          )}
          {aside}
        </div>
        {action && <div className={classes.action}>{action}</div>}
      </div>
      {children}
    </div>
  );
}

/**
 * The title of the browser's tab: the page, where it belongs, and the product as a database platform for genomics.
 * `Models` of two projects, or a model and a GWAS of one name, are told apart by it.
 */
function useDocumentTitle(title: string, crumbs: readonly Crumb[]): void {
  const { t } = useTranslation();
  const above = crumbs.filter(({ link }) => link && link.to !== '/projects').map(({ label }) => label);
  const whole = [title, ...above.toReversed(), t('product.homeTitle')].join(' · ');
  useEffect(() => {
    document.title = whole;
  }, [whole]);
}
