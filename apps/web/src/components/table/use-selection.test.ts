import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from '../../lib/browser/search-params.ts';
import { addressOfNames, namesInAddress } from './use-selection.ts';

test('names come back from the address as they were, each once', () => {
  const names = ['B73', 'Mo17, sib', 'A&B=1', '#3', 'Zuckerrübe'];
  const address = stringifySearch({ selected: addressOfNames([...names, 'B73']) });
  expect(namesInAddress(String(parseSearch(address).selected))).toEqual(names);
  expect(addressOfNames([])).toBeUndefined();
  expect(namesInAddress(undefined)).toEqual([]);
});

test('a selection that is too large for an address is cut at a name', () => {
  const many = Array.from({ length: 5000 }, (_, index) => `marker_${index}`);
  const kept = namesInAddress(addressOfNames(many));
  expect(kept).toEqual(many.slice(0, kept.length));
  expect(kept.length).toBeGreaterThan(200);
  expect(encodeURIComponent(addressOfNames(many) ?? '').length).toBeLessThan(8000);
});
