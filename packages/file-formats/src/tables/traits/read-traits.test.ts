import { expect, test } from 'vitest';
import type { ListedTrait } from './listed-trait.ts';
import { readTraits } from './read-traits.ts';
import { fieldBookTraits } from './write-field-book-traits.ts';

const read = (text: string) => readTraits(new TextEncoder().encode(text));

const TRT = `"trait","format","defaultValue","minimum","maximum","details","categories","isVisible","realPosition"
"height","numeric","","20","300","To the tip, without awns","","true","1"
"colour","categorical","","","","","Red/Orange/ Green","true","2"
"rust","categorical","","","","","[{""label"":""resistant"",""value"":""1""},{""label"":""9"",""value"":""9""}]","true","3"
"lodging","percent","","","","","","true","4"
"heading","date","","","","","","true","5"
"damage","boolean","FALSE","","","","","true","6"
"tillers","counter","","","","","","true","7"
"picture","photo","","","","","","true","8"
"height","numeric","","","","","","true","9"
`;

test('a .trt file of Field Book gives traits with limits and categories, and names what it leaves out', async () => {
  const { format, traits, leftOut } = await read(TRT);
  expect(format).toBe('Field Book');
  expect(traits.map(({ name, unit, scale }) => [name, unit, scale])).toEqual([
    ['height', null, { kind: 'numeric', min: 20, max: 300 }],
    [
      'colour',
      null,
      { kind: 'categories', categories: ['Red', 'Orange', 'Green'].map((value) => ({ value, label: null })) },
    ],
    [
      'rust',
      null,
      {
        kind: 'categories',
        categories: [
          { value: '1', label: 'resistant' },
          { value: '9', label: null },
        ],
      },
    ],
    ['lodging', '%', { kind: 'numeric', min: 0, max: 100 }],
    ['heading', null, { kind: 'date' }],
    ['damage', null, { kind: 'categories', categories: ['TRUE', 'FALSE'].map((value) => ({ value, label: null })) }],
    ['tillers', null, { kind: 'integer', min: 0, max: null }],
  ]);
  expect(traits[0]?.details).toBe('To the tip, without awns');
  expect(leftOut.map(({ name }) => name)).toEqual(['picture', 'height']);
  expect(leftOut[1]?.reason).toBe('the file names it twice');
});

test('a .trt file in JSON says the same', async () => {
  const { format, traits, leftOut } = await read(
    JSON.stringify({
      traits: [
        {
          ...{ name: 'height', format: 'numeric', details: 'tip' },
          attributes: { validValuesMin: '20', validValuesMax: '300', unit: 'cm', decimalPlacesRequired: '0' },
        },
        { name: 'colour', format: 'categorical', attributes: { category: 'Red/Green', allowMulticat: true } },
        { name: 'spot', format: 'gnss' },
      ],
    }),
  );
  expect(format).toBe('Field Book');
  expect(traits).toEqual([
    { name: 'height', unit: 'cm', scale: { kind: 'integer', min: 20, max: 300 }, details: 'tip', ontologyId: null },
    { name: 'colour', unit: null, scale: { kind: 'text' }, details: null, ontologyId: null },
  ]);
  expect(leftOut.map(({ name }) => name)).toEqual(['spot']);
});

const DICTIONARY = `Curation,Variable ID,Variable name,Trait name,Trait description,Method description,Scale name,Scale class,Decimal places,Lower limit,Upper limit,Category 1,Category 2,Category 3
,CO_900:0000018,PH_M_cm,Plant height,Height of the plant,"From soil to tip, at maturity",cm,Numerical,,0,400,,,
,CO_900:0000034,Rust_1to5,Rust severity,Severity of rust,Visual rating,5 pt scale,Ordinal,,,,1 = No symptom,3: Mild,5 =
,CO_900:0000035,Stand,Plants,Plants per plot,Counting,plants,Numerical,0,,,,,
`;

test('a trait dictionary of the Crop Ontology gives its variables with units, limits, categories and ids', async () => {
  const { format, traits, leftOut } = await read(DICTIONARY);
  expect([format, leftOut]).toEqual(['Crop Ontology', []]);
  expect(traits).toEqual([
    {
      ...{ name: 'PH_M_cm', unit: 'cm', scale: { kind: 'numeric', min: 0, max: 400 } },
      details: 'Height of the plant. From soil to tip, at maturity',
      ontologyId: 'CO_900:0000018',
    },
    {
      ...{ name: 'Rust_1to5', unit: null, ontologyId: 'CO_900:0000034', details: 'Severity of rust. Visual rating' },
      scale: {
        kind: 'categories',
        categories: [
          { value: '1', label: 'No symptom' },
          { value: '3', label: 'Mild' },
          { value: '5', label: null },
        ],
      },
    },
    {
      ...{ name: 'Stand', unit: 'plants', scale: { kind: 'integer', min: null, max: null } },
      ...{ details: 'Plants per plot. Counting', ontologyId: 'CO_900:0000035' },
    },
  ]);
});

test('variables of BrAPI 1.3 and 2.1 are read', async () => {
  const old = {
    ...{ observationVariableDbId: 'CO_900:0000018', name: 'PH' },
    scale: { dataType: 'Numerical', name: 'cm', validValues: { min: 0, max: 400 } },
  };
  const now = {
    ...{ observationVariableDbId: 'a7', observationVariableName: 'Rust', observationVariablePUI: 'CO_900:0000034' },
    scale: { dataType: 'Ordinal', validValues: { categories: [{ value: '1', label: 'none' }, { label: 'severe' }] } },
  };
  const { format, traits } = await read(JSON.stringify({ result: { data: [old, now] } }));
  expect(format).toBe('BrAPI');
  expect(traits.map(({ name, unit, ontologyId }) => [name, unit, ontologyId])).toEqual([
    ['PH', 'cm', 'CO_900:0000018'],
    ['Rust', null, 'CO_900:0000034'],
  ]);
  expect(traits[0]?.scale).toEqual({ kind: 'numeric', min: 0, max: 400 });
  expect(traits[1]?.scale).toEqual({
    kind: 'categories',
    categories: [
      { value: '1', label: 'none' },
      { value: 'severe', label: null },
    ],
  });
});

test('an ontology in OBO gives the terms that are variables, and the unit that their scale names', async () => {
  const { format, traits } = await read(`format-version: 1.2
ontology: co

[Term]
id: CO_900:0000002
name: Plant height
namespace: t

[Term]
id: CO_900:0000018
name: plant height in cm
def: "Height, \\"tip\\" included." [CO:curators]
relationship: variable_of CO_900:0000002 ! Plant height
relationship: variable_of CO_900:0000003 ! Ruler
relationship: variable_of CO_900:0000004 ! cm

[Term]
id: CO_900:0000019
name: old height
is_obsolete: true
relationship: variable_of CO_900:0000002 ! Plant height

[Term]
id: CO_900:0000020
name: rust rating
relationship: variable_of CO_900:0000002 ! Rust
relationship: variable_of CO_900:0000003 ! Eye
relationship: variable_of CO_900:0000004 ! 5pt scale
`);
  expect(format).toBe('OBO');
  expect(traits).toEqual([
    {
      ...{ name: 'plant height in cm', unit: 'cm', scale: { kind: 'numeric', min: null, max: null } },
      ...{ details: 'Height, "tip" included.', ontologyId: 'CO_900:0000018' },
    },
    { name: 'rust rating', unit: null, scale: null, details: null, ontologyId: 'CO_900:0000020' },
  ]);
});

test('what is no list of traits is refused with what it has', async () => {
  await expect(read('line,yield\nL1,5\n')).rejects.toThrow(/no list of traits.*line, yield/);
  await expect(read('{"traits": ')).rejects.toThrow(/no JSON/);
  await expect(read('{"a": 1}')).rejects.toThrow(/neither/);
});

test('traits written for Field Book are read as they were, but for whole numbers, which it has no kind for', async () => {
  const traits: Omit<ListedTrait, 'ontologyId'>[] = [
    { name: '=height', unit: 'cm', scale: { kind: 'numeric', min: -5, max: 300.5 }, details: 'tip, "no" awns' },
    { name: 'stand', unit: null, scale: { kind: 'integer', min: 0, max: null }, details: null },
    {
      ...{ name: 'colour', unit: null, details: null },
      scale: { kind: 'categories', categories: ['Red', 'Green'].map((value) => ({ value, label: null })) },
    },
    {
      ...{ name: 'rust', unit: null, details: 'flag leaf' },
      scale: {
        kind: 'categories',
        categories: [
          { value: '1', label: 'none/trace' },
          { value: 'a/b', label: null },
        ],
      },
    },
    { name: 'heading', unit: 'd', scale: { kind: 'date' }, details: null },
    { name: 'note', unit: null, scale: { kind: 'text' }, details: null },
  ];
  const { traits: again, leftOut } = await read(fieldBookTraits(traits));
  expect(leftOut).toEqual([]);
  expect(again).toEqual(
    traits.map((trait) => ({
      ...trait,
      ontologyId: null,
      ...(trait.scale?.kind === 'integer' && { scale: { ...trait.scale, kind: 'numeric' } }),
    })),
  );
});
