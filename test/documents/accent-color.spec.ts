import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  accentShades,
  accentStyle,
  contrastOf,
} from '../../src/documents/infrastructure/printing/accent-color.js';

const aColor = () =>
  fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

it('knows the contrasts that WCAG tells', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastOf('#ff0000', '#ffffff')).toBeCloseTo(4, 1);
});

it('shows each colour so that it can be read on every ground, and letters on it', () => {
  fc.assert(
    fc.property(aColor(), (color) => {
      const { light, onLight, dark, onDark } = accentShades(color);
      for (const ground of ['#ffffff', '#f3f5f7']) {
        expect(contrastOf(light, ground)).toBeGreaterThanOrEqual(4.5);
      }
      for (const ground of ['#12181e', '#1b232b']) {
        expect(contrastOf(dark, ground)).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrastOf(onLight, light)).toBeGreaterThanOrEqual(4.5);
      expect(contrastOf(onDark, dark)).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 1000 },
  );
});

it('leaves a colour as it is where it can be read', () => {
  expect(accentShades('#1b5fc1').light).toBe('#1b5fc1');
  expect(accentShades('#8ab8ff').dark).toBe('#8ab8ff');
  expect(accentStyle(null)).toBe('');
});
