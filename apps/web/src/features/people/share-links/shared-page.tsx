import type { SharedThing } from '@heterosis/contracts/people/share-links';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/page/error-notice.tsx';
import { SkeletonLines } from '../../../components/page/loading.tsx';
import { Page } from '../../../components/page/page.tsx';
import { Section } from '../../../components/page/section.tsx';
import { asProblem } from '../../../lib/api/problem.ts';
import { firstPaper } from '../../../lib/browser/first-paper.ts';
import { formatDay } from '../../../lib/format/format.ts';
import { PaperSelect } from '../../work/reports/index.ts';
import { ReportParts } from './report-parts.tsx';
import { sharedQuery, usePrintShared } from './share-links.api.ts';
import classes from './shared-page.module.css';

/** What a share link shows to whoever holds it: no account, nothing to change, nowhere else to go. */
export function SharedPage({ token }: { token: string }) {
  const { t } = useTranslation();
  const { data: shared, error, refetch } = useQuery({ ...sharedQuery(token), enabled: token !== '' });
  return (
    <div>
      <meta name="robots" content="noindex, nofollow, noarchive" />
      <header className={classes.header}>
        <span className={classes.brand}>{t('product.name')}</span>
        <span className="hx-muted">{t('share.readOnly')}</span>
      </header>
      <main id="main" className={classes.main}>
        {shared ? (
          <Shared shared={shared} token={token} />
        ) : token === '' || asProblem(error).code === 'share-links/unusable' ? (
          <Unusable />
        ) : (
          <Page title={t('share.loading')} width="text">
            {error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : <SkeletonLines />}
          </Page>
        )}
      </main>
      <footer className={classes.footer}>{t('share.madeWith')}</footer>
    </div>
  );
}

function Unusable() {
  const { t } = useTranslation();
  return (
    <Page title={t('share.unusable')} width="text">
      <p>{t('share.unusableText')}</p>
    </Page>
  );
}

function Shared({ shared, token }: { shared: SharedThing; token: string }) {
  const { t } = useTranslation();
  const print = usePrintShared(token);
  // Whoever holds a link may have no account that could remember it.
  const [paper, setPaper] = useState(() => firstPaper());
  const { organization, logo, kind, name, description, sentences, inputs, parts, methods, provenance } = shared;
  useOpenedForPrinting();
  return (
    <Page
      title={name}
      heading={
        <div>
          {logo !== null && <img className={classes.logo} src={logo} alt={t('share.logoOf', { organization })} />}
          <p className={classes.kind}>{kind}</p>
          <h1 className={classes.name}>{name}</h1>
        </div>
      }
      action={
        <div className={classes.actions}>
          <Button variant="default" onClick={() => window.print()}>
            {t('share.print')}
          </Button>
          <PaperSelect paper={paper} onChange={setPaper} isInline />
          <Button loading={print.isPending} onClick={() => print.mutate(paper)}>
            {t('report.menu')}
          </Button>
        </div>
      }
    >
      <p className="hx-muted">
        {t('share.sharedBy', { organization, date: formatDay(shared.date), until: formatDay(shared.expires_at) })}
      </p>
      {print.error && <ErrorNotice error={print.error} />}
      {description && <p className={classes.text}>{description}</p>}
      {sentences.length > 0 && (
        <ul className={classes.sentences}>
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <Pairs pairs={inputs} />
      <ReportParts parts={parts} />
      {methods && (
        <Section title={t('gwas.methods')}>
          <p className={classes.text}>{methods}</p>
        </Section>
      )}
      {provenance.length > 0 && (
        <Section title={t('runs.provenance')}>
          <details className={classes.folded}>
            <summary>{t('runs.provenanceNote')}</summary>
            <Pairs pairs={provenance} />
          </details>
        </Section>
      )}
    </Page>
  );
}

function Pairs({ pairs }: { pairs: SharedThing['inputs'] }) {
  return (
    <dl className={classes.pairs}>
      {pairs.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** On paper nothing is folded. */
function useOpenedForPrinting(): void {
  useEffect(() => {
    const open = (): void => {
      for (const folded of document.querySelectorAll('details')) folded.open = true;
    };
    window.addEventListener('beforeprint', open);
    return () => window.removeEventListener('beforeprint', open);
  }, []);
}
