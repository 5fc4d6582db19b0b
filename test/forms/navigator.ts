// If the navigator has no language, pdfjs-dist replaces it with one that does not know the number of cores.
if (navigator.language === undefined) Object.defineProperty(navigator, 'language', { value: 'en-US' });
