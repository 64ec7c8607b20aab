import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../components/page/loading.tsx';
import { Page } from '../../components/page/page.tsx';
import { configQuery } from '../../lib/api/config-query.ts';
import { session, useSession } from '../../lib/session/browser-session.ts';
import { helpContents, helpPageQuery } from './help.api.ts';
import classes from './help-page.module.css';
import { HelpSearch } from './help-search.tsx';

/** One document of the help beside the contents of all of them. */
export function HelpPage({ slug }: { slug: string }) {
  const { t } = useTranslation();
  const page = useQuery(helpPageQuery(slug));
  // Beside the document where there is room, otherwise folded above it.
  const isWide = useMediaQuery('(min-width: 62em)') ?? true;
  const current = helpContents.find((entry) => entry.slug === slug);
  return (
    <Page title={current?.title ?? t('help.title')} heading={<p className={classes.kicker}>{t('help.title')}</p>}>
      <div className={classes.layout}>
        <aside className={classes.side}>
          <HelpSearch />
          <TourButton />
          <details open={isWide}>
            <summary>{t('help.contents')}</summary>
            <Contents slug={slug} />
            <Support />
          </details>
        </aside>
        {page.error ? (
          <ErrorNotice error={page.error} onRetry={() => page.refetch()} />
        ) : page.data === undefined ? (
          <SkeletonLines lines={12} />
        ) : page.data === null ? (
          <p>{t('help.noSuchPage')}</p>
        ) : (
          <Article html={page.data} />
        )}
      </div>
    </Page>
  );
}

/** The tour of the project that is open to me: one of mine, or the demo for visitors. */
function TourButton() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isKnown = useSession().status === 'signed-in';
  const { data: config } = useQuery(configQuery());
  if (!isKnown && !config?.demo) return null;
  const start = async (): Promise<void> => {
    if (!isKnown) await session.visitDemo();
    await navigate({ to: '/projects', search: { tour: '1' } });
  };
  return (
    <Button size="xs" variant="default" mt="sm" onClick={() => void start()}>
      {t('tour.start')}
    </Button>
  );
}

function Contents({ slug }: { slug: string }) {
  const { t } = useTranslation();
  return (
    <nav aria-label={t('help.contents')} className={classes.contents}>
      {(['guide', 'reference'] as const).map((group) => (
        <section key={group}>
          <h2>{t(`help.groups.${group}`)}</h2>
          <ul>
            {helpContents
              .filter((page) => page.group === group)
              .map((page) => (
                <li key={page.slug}>
                  <Link
                    to="/help/$page"
                    params={{ page: page.slug }}
                    aria-current={page.slug === slug ? 'page' : undefined}
                  >
                    {page.title}
                  </Link>
                  {page.slug === slug && (
                    <ul>
                      {page.headings
                        .filter(({ depth }) => depth === 2)
                        .map((heading) => (
                          <li key={heading.id}>
                            <a href={`#${heading.id}`}>{heading.title}</a>
                          </li>
                        ))}
                    </ul>
                  )}
                </li>
              ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

/** How to reach the people who run this installation, where they have said so. */
function Support() {
  const { t } = useTranslation();
  const { data: config } = useQuery(configQuery());
  return (
    <ul className={classes.more}>
      <li>
        <a href="/api/docs">{t('help.api')}</a>
      </li>
      {config?.support && (
        <li>
          <a href={config.support}>{t('word.contactSupport')}</a>
        </li>
      )}
    </ul>
  );
}

/** The document. What the address points at is scrolled to and marked, also when it arrives after the page. */
function Article({ html }: { html: string }) {
  const article = useRef<HTMLElement>(null);
  const { hash } = useLocation();
  // Also when the document changes: it has other places.
  useEffect(() => {
    const target = hash === '' ? null : document.getElementById(decodeURIComponent(hash));
    if (!target || !article.current?.contains(target)) return;
    target.dataset['target'] = '';
    target.scrollIntoView({ block: target.tagName === 'TR' ? 'center' : 'start' });
    return () => {
      delete target.dataset['target'];
    };
  }, [hash, html]);
  // The HTML is built from the documents of this version, never from anything that a user wrote.
  // oxlint-disable-next-line react/no-danger
  return <article ref={article} className={classes.article} dangerouslySetInnerHTML={{ __html: html }} />;
}
