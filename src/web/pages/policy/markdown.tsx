import type { ComponentChildren } from 'preact';

/** Shows a text in Markdown: headings, paragraphs, lists, bold text and links. All other characters are text. */
export function Markdown({ text }: { readonly text: string }) {
  const blocks = text.replaceAll('\r\n', '\n').split(/\n\s*\n|\n(?=#)|(?<=^#.*)\n/m);
  return (
    <>
      {blocks.map((block, at) => (
        <Block key={at} text={block.trim()} />
      ))}
    </>
  );
}

function Block({ text }: { readonly text: string }) {
  const heading = /^(#{1,6})\s+(.*)$/.exec(text);
  if (heading !== null)
    return (heading[1]?.length ?? 0) > 2 ? <h3>{inline(heading[2] ?? '')}</h3> : <h2>{inline(heading[2] ?? '')}</h2>;
  const mark = /^(?:[-*+]|\d+\.)\s+/;
  if (!mark.test(text)) return text === '' ? null : <p>{inline(text)}</p>;
  const items = text
    .split(/\n(?=(?:[-*+]|\d+\.)\s)/)
    .map((item) => <li key={item}>{inline(item.replace(mark, ''))}</li>);
  return /^\d/.test(text) ? <ol>{items}</ol> : <ul>{items}</ul>;
}

/** Formats bold text and links. A link can only lead to a web page, an email address or a page of this server. */
function inline(text: string): ComponentChildren {
  return text.split(/(\*\*[^*]+\*\*|\[[^\]]+\]\((?:https?:\/\/|mailto:|\/(?!\/))[^\s)]*\))/).map((part, at) => {
    const link = /^\[([^\]]+)\]\((.*)\)$/.exec(part);
    if (link !== null)
      return (
        <a key={at} href={link[2] ?? ''} rel="noreferrer">
          {link[1]}
        </a>
      );
    return part.startsWith('**') && part.endsWith('**') && part.length > 4 ? (
      <strong key={at}>{part.slice(2, -2)}</strong>
    ) : (
      part
    );
  });
}
