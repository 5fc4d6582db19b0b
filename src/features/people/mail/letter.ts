import type { Mail } from '../../../deps.ts';

/** The plain-text content of a template. The text and HTML parts of an email are both rendered from it. */
export interface Letter {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Shown below the first paragraph. */
  readonly link?: LetterLink;
  /** Shown below the paragraphs, each with its title. */
  readonly items?: readonly { readonly title: string; readonly body: string }[];
  /** The unsubscribe link of an optional email. */
  readonly stop?: LetterLink;
}

interface LetterLink {
  readonly label: string;
  readonly url: string;
}

export const nothingToDo = 'If this was you, there is nothing to do.';
export const ignoreThis = "If this wasn't you, you can ignore this email.";
export const setPassword =
  "If this wasn't you, someone else has access to your account or your email. Set a new password now.";

export function passwordLink(baseUrl: string): LetterLink {
  return { label: 'Set a new password', url: `${baseUrl}/reset` };
}

export function worksOnce(lifetime: string): string {
  return `The link works once, within ${lifetime}.`;
}

/** Renders an email. Uses no images, scripts or external URLs, so that opening it cannot be tracked. */
export function buildMail(to: string, letter: Letter): Mail {
  return { to, subject: letter.subject, text: renderText(letter), html: renderHtml(letter) };
}

function renderText({ paragraphs: [first = '', ...rest], link, items = [], stop }: Letter): string {
  const formatLink = (one: LetterLink | undefined): string[] =>
    one === undefined ? [] : [`${one.label}:\n${one.url}`];
  const listed = items.map(({ title, body }) => `${title}\n${body}`);
  const parts = [first, ...formatLink(link), ...rest, ...listed, ...formatLink(stop), signature];
  return `${parts.join('\n\n')}\n`;
}

function renderHtml({ subject, paragraphs: [first = '', ...rest], link, items = [], stop }: Letter): string {
  const paragraph = (text: string): string => `<p style="margin:0 0 16px">${escaped(text)}</p>`;
  const parts = [
    paragraph(first),
    ...(link === undefined ? [] : [renderButton(link)]),
    ...rest.map(paragraph),
    ...items.map(renderItem),
    ...(stop === undefined
      ? []
      : [`<p style="${small}"><a href="${escaped(stop.url)}">${escaped(stop.label)}</a></p>`]),
    `<p style="${small}">${escaped(signature)}</p>`,
  ];
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    '<body style="margin:0;padding:24px;background:#ffffff;color:#1b242c">',
    '<div style="max-width:560px;margin:0 auto;font:16px/1.5 system-ui,sans-serif">',
    ...parts,
    '</div></body></html>',
  ].join('\n');
}

const small = 'margin:32px 0 0;color:#5b6670;font-size:14px';

function renderItem({ title, body }: { readonly title: string; readonly body: string }): string {
  return `<p style="margin:0 0 16px"><strong>${escaped(title)}</strong><br>${escaped(body)}</p>`;
}

/** Renders a link as a button. Repeats the URL as text, because some email programs do not show links. */
function renderButton({ label, url }: LetterLink): string {
  const style = 'display:inline-block;padding:10px 18px;border-radius:6px;background:#0b6b4f;color:#ffffff';
  return [
    `<p style="margin:0 0 16px"><a href="${escaped(url)}" style="${style};text-decoration:none">${escaped(label)}</a></p>`,
    `<p style="margin:0 0 16px;font-size:14px;word-break:break-all">${escaped(url)}</p>`,
  ].join('\n');
}

const signature = 'Lotbook. Replies to this email are not read.';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
