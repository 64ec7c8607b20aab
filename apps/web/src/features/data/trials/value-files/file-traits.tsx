import type { ValueFileReview } from '@heterosis/contracts/data/value-files';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../../lib/format/format.ts';
import { projectTraitsQuery } from '../../../people/projects/index.ts';
import classes from './value-files.module.css';

/** Values of the choices that are no names of traits: no trait begins with a control character. */
const LEFT_OUT = '\u0000';
const ADDED = '\u0001';

/** Which trait each column of the file is: found by name, else chosen, added or left out. */
export function FileTraits(props: {
  projectId: string;
  traits: ValueFileReview['traits'];
  isBusy: boolean;
  onChoose: (header: string, trait: string | null) => void;
}) {
  const { projectId, traits, isBusy, onChoose } = props;
  const { t } = useTranslation();
  const known = (useQuery(projectTraitsQuery(projectId)).data?.data ?? []).map(({ name }) => name);
  return (
    <table className={classes.traits}>
      <thead>
        <tr>
          <th scope="col">{t('trials.file.inFile')}</th>
          <th scope="col">{t('trials.file.values')}</th>
          <th scope="col">{t('trials.trait')}</th>
        </tr>
      </thead>
      <tbody>
        {traits.map(({ header, trait, is_new: isNew, is_open: isOpen, values, samples }) => (
          <tr key={header} data-open={isOpen || undefined}>
            <th scope="row">
              {header}
              <small>{samples.join(' · ')}</small>
            </th>
            <td>{formatCount(values)}</td>
            <td>
              <NativeSelect
                aria-label={t('trials.file.traitOf', { column: header })}
                disabled={isBusy}
                error={isOpen ? t('trials.file.undecided') : undefined}
                value={isOpen ? '' : isNew ? ADDED : (trait ?? LEFT_OUT)}
                onChange={({ currentTarget: { value } }) =>
                  onChoose(header, value === LEFT_OUT ? null : value === ADDED ? header.slice(0, 255) : value)
                }
                data={[
                  ...(isOpen ? [{ value: '', label: t('trials.file.choose'), disabled: true }] : []),
                  { value: LEFT_OUT, label: t('trials.file.leaveOut') },
                  ...(known.includes(header)
                    ? []
                    : [{ value: ADDED, label: t('trials.file.addTrait', { name: header }) }]),
                  { group: t('trials.file.ofProject'), items: known.map((name) => ({ value: name, label: name })) },
                ]}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
