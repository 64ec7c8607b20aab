import { Button, Input, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../lib/format/format.ts';
import classes from './trait-chooser.module.css';

/** From here on looking through a list takes longer than typing a part of the name. */
const SEARCH_FROM = 12;

/** The traits of a file and those selected; a click moves a trait from one list to the other, in one order. */
export function TraitChooser(props: {
  traits: readonly string[];
  selected: readonly string[];
  onChange: (selected: string[]) => void;
  /** Individuals with genotype and value, by trait. */
  counts?: Record<string, number> | undefined;
  emptyText: string;
  error?: ReactNode;
}) {
  const { t } = useTranslation();
  const pool = props.traits.filter((trait) => !props.selected.includes(trait));
  return (
    <Input.Wrapper label={t('word.traits')} labelElement="div" error={props.error}>
      <div className={classes.lists}>
        <TraitList
          title={t('runs.traitPool')}
          action={(trait) => t('runs.selectTrait', { trait })}
          traits={pool}
          counts={props.counts}
          empty={props.traits.length === 0 ? props.emptyText : t('runs.allSelected')}
          onPick={(trait) =>
            props.onChange(props.traits.filter((one) => one === trait || props.selected.includes(one)))
          }
          all={{ label: t('runs.selectAllTraits'), onClick: () => props.onChange([...props.traits]) }}
        />
        <TraitList
          title={t('runs.selectedTraits')}
          action={(trait) => t('runs.unselectTrait', { trait })}
          traits={props.selected}
          counts={props.counts}
          empty={t('runs.noneSelected')}
          onPick={(trait) => props.onChange(props.selected.filter((one) => one !== trait))}
          all={{ label: t('runs.unselectAllTraits'), onClick: () => props.onChange([]) }}
        />
      </div>
    </Input.Wrapper>
  );
}

function TraitList(props: {
  title: string;
  action: (trait: string) => string;
  traits: readonly string[];
  counts: Record<string, number> | undefined;
  empty: string;
  onPick: (trait: string) => void;
  /** Moves every trait at once. */
  all: { label: string; onClick: () => void };
}) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const found = props.traits.filter((trait) => trait.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <div>
      <div className={classes.head}>
        <p className={classes.title}>{props.title}</p>
        {props.traits.length > 1 && (
          <Button size="compact-xs" variant="subtle" onClick={props.all.onClick}>
            {props.all.label}
          </Button>
        )}
      </div>
      {props.traits.length > SEARCH_FROM && (
        <TextInput
          type="search"
          size="xs"
          mb={4}
          aria-label={t('runs.searchTraits')}
          placeholder={t('runs.searchTraits')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ul className={classes.list} aria-label={props.title}>
        {found.map((trait) => (
          <li key={trait}>
            <button type="button" className={classes.trait} onClick={() => props.onPick(trait)}>
              <span className="hx-visually-hidden">{props.action(trait)}</span>
              <span aria-hidden="true">{trait}</span>
              {props.counts?.[trait] !== undefined && (
                <span className={classes.count}>n {formatCount(props.counts[trait])}</span>
              )}
            </button>
          </li>
        ))}
        {props.traits.length === 0 && <li className={classes.empty}>{props.empty}</li>}
      </ul>
    </div>
  );
}
