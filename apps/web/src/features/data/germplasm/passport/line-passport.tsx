import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../../components/page/error-notice.tsx';
import { FactsStrip } from '../../../../components/page/facts-strip.tsx';
import { SkeletonLines } from '../../../../components/page/loading.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { ChosenLociSection } from './chosen-loci.tsx';
import { newestStandings } from './estimates.ts';
import { passportQuery } from './passport.api.ts';
import {
  CrossesSection,
  ListLinks,
  LociSection,
  PhotosSection,
  StageInWords,
  Standings,
  TrialsSection,
} from './passport-parts.tsx';

/** What a project knows of a line, on the page of the line; what stands below comes with it, and so does not move. */
export function LinePassport(props: { projectId: string; line: string; children: ReactNode }) {
  const { projectId, line, children } = props;
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(passportQuery(projectId, line));
  if (error)
    return (
      <>
        <ErrorNotice error={error} onRetry={() => void refetch()} />
        {children}
      </>
    );
  if (data === undefined) return <SkeletonLines lines={6} />;
  // The page says that there is no such line.
  if (data === null) return children;
  const standings = newestStandings(data.values.data);
  return (
    <>
      {(data.lists.length > 0 || data.stages.length > 0) && (
        <FactsStrip
          facts={[
            ...(data.stages.length > 0
              ? [
                  {
                    label: t('passport.stages'),
                    value: data.stages.map((stage) => (
                      <div key={stage.set_at}>
                        <StageInWords stage={stage} />
                      </div>
                    )),
                  },
                ]
              : []),
            ...(data.lists.length > 0
              ? [{ label: t('nav.lists'), value: <ListLinks projectId={projectId} lists={data.lists} /> }]
              : []),
          ]}
        />
      )}
      {standings.length > 0 && (
        <Section title={t('passport.standings')} note={t('passport.standingsNote')}>
          <Standings projectId={projectId} standings={standings} />
        </Section>
      )}
      <TrialsSection projectId={projectId} trials={data.trials} />
      <PhotosSection projectId={projectId} photos={data.photos} count={data.photo_count} />
      <LociSection projectId={projectId} loci={data.loci} />
      <ChosenLociSection projectId={projectId} name={data.germplasm.name} chosen={data.chosen} />
      <CrossesSection projectId={projectId} crosses={data.crosses} />
      {children}
    </>
  );
}
