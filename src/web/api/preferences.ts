import { effect, signal } from '@preact/signals';

/** The user's preferences, stored in this browser. */
export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const stored = localStorage.getItem('theme');
export const theme = signal<Theme>(themes.find((each) => each === stored) ?? 'auto');

/** Privacy mode, which blurs amounts so that others cannot read them on the screen. */
export const hidesAmounts = signal(localStorage.getItem('hidesAmounts') === 'yes');

/** Whether single keys are shortcuts. */
export const usesShortcuts = signal(localStorage.getItem('usesShortcuts') !== 'no');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  localStorage.setItem('theme', theme.value);
});

effect(() => {
  document.documentElement.dataset.amounts = hidesAmounts.value ? 'hidden' : 'shown';
  localStorage.setItem('hidesAmounts', hidesAmounts.value ? 'yes' : 'no');
});

effect(() => {
  localStorage.setItem('usesShortcuts', usesShortcuts.value ? 'yes' : 'no');
});
