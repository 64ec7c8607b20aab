import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Place } from '../../../lib/browser/place.ts';
import { germplasmChoiceQuery } from './germplasm.api.ts';

const TYPING_MS = 250;

/** Chooses one germplasm of a crop by typing a part of its name or a synonym. */
export function GermplasmSelect(props: {
  place: Place;
  cropId: string;
  label: string;
  value: { id: string; name: string } | null;
  onChange: (value: { id: string; name: string } | null) => void;
  /** Not to be chosen. */
  but?: string;
  error?: React.ReactNode;
  hasFocus?: boolean;
}) {
  const { t } = useTranslation();
  const { place, cropId, value, but } = props;
  const [typed, setTyped] = useState(value?.name ?? '');
  const [search] = useDebouncedValue(typed === value?.name ? '' : typed, TYPING_MS);
  const { data } = useQuery({
    ...germplasmChoiceQuery(place, { search, cropId }),
    placeholderData: keepPreviousData,
  });
  const found = (data?.data ?? []).filter(({ id }) => id !== but);
  const options = value !== null && !found.some(({ id }) => id === value.id) ? [value, ...found] : found;
  return (
    <Select
      label={props.label}
      placeholder={t('germplasm.typeName')}
      searchable
      clearable
      value={value?.id ?? null}
      searchValue={typed}
      onSearchChange={setTyped}
      // The server has searched, synonyms included.
      filter={({ options: all }) => all}
      data={options.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(id) => props.onChange(options.find((one) => one.id === id) ?? null)}
      nothingFoundMessage={t('germplasm.nothingFound')}
      error={props.error}
      {...(props.hasFocus ? { 'data-autofocus': true } : {})}
    />
  );
}
