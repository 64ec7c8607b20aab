import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Icon } from '../../../components/icons.tsx';
import { formatCount } from '../../../lib/format/format.ts';
import classes from './side-navigation.module.css';

export interface NavigationEntry {
  to: LinkProps['to'];
  label: string;
  icon: Icon;
  count?: number | undefined;
  exact?: boolean;
  /** Why there is nothing to do there yet. */
  needs?: string | undefined;
  /** Start of further addresses that belong to the entry. */
  also?: string;
}

export interface NavigationSection {
  /** Without one the entries stand alone. */
  title?: string;
  entries: NavigationEntry[];
}

/** Links in sections. On a narrow window only their icons are seen, with the label as tooltip. */
export function NavigationLinks({
  label,
  sections,
  params,
}: {
  label: string;
  sections: NavigationSection[];
  params: Record<string, string>;
}) {
  return (
    <nav aria-label={label} className={classes.sections}>
      {sections.map(({ title, entries }, index) => (
        <div key={title ?? index}>
          {title !== undefined && (
            <p className={classes.section} id={`navigation-${index}`}>
              {title}
            </p>
          )}
          <ul className={classes.links} {...(title === undefined ? {} : { 'aria-labelledby': `navigation-${index}` })}>
            {entries.map((entry) => (
              <Entry key={entry.label} entry={entry} params={params} />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** Beside a page that says that nothing was found: no link into it would lead anywhere. */
export function NavigationOut({ label }: { label: string }) {
  const { t } = useTranslation();
  return (
    <nav aria-label={label}>
      <Link to="/projects" className={classes.link}>
        {t('nav.projectList')}
      </Link>
    </nav>
  );
}

function Entry({ entry, params }: { entry: NavigationEntry; params: Record<string, string> }) {
  const isBelow = useLocation({
    select: ({ pathname }) => entry.also !== undefined && pathname.startsWith(entry.also),
  });
  const Glyph = entry.icon;
  return (
    <li>
      <Link
        {...({ to: entry.to, params } as LinkProps)}
        activeOptions={{ exact: entry.exact ?? false, includeSearch: false }}
        className={classes.link}
        title={entry.needs === undefined ? entry.label : `${entry.label}: ${entry.needs}`}
        data-idle={entry.needs !== undefined || undefined}
        {...(isBelow ? { 'aria-current': 'page' } : {})}
      >
        <Glyph size={18} stroke={1.6} aria-hidden="true" className={classes.icon} />
        <span className={classes.label}>{entry.label}</span>
        {entry.count ? <span className={classes.count}>{formatCount(entry.count)}</span> : null}
      </Link>
    </li>
  );
}
