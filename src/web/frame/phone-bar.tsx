import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { hasClients } from '../api/books.ts';
import { mainDestinations, phoneDestinations } from '../destinations.ts';
import { Icon } from '../parts/icon.tsx';
import { PageLink } from './sidebar.tsx';

/** On a phone: four pages at the bottom, and a sheet with the others. */
export function PhoneBar() {
  const [isOpen, setOpen] = useState(false);
  const sheet = useRef<HTMLDialogElement>(null);
  const { url } = useLocation();
  const inBar = phoneDestinations(hasClients());
  useEffect(() => setOpen(false), [url]);
  useEffect(() => {
    if (isOpen) sheet.current?.showModal();
    else sheet.current?.close();
  }, [isOpen]);
  return (
    <>
      <nav class="phone-bar" aria-label="Main pages">
        {inBar.map((page) => (
          <PageLink key={page.href} page={page} />
        ))}
        <button type="button" class="page-link" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <Icon name="more" />
          <span>More</span>
        </button>
      </nav>
      <dialog ref={sheet} class="sheet" aria-label="More pages" onClose={() => setOpen(false)}>
        <ul>
          {mainDestinations(hasClients())
            .filter((page) => !inBar.includes(page))
            .map((page) => (
              <li key={page.href}>
                <PageLink page={page} />
              </li>
            ))}
        </ul>
        <button type="button" onClick={() => setOpen(false)}>
          Close
        </button>
      </dialog>
    </>
  );
}
