// If the navigator has no language, pdfjs-dist replaces it with a navigator that lacks the number of cores.
if (navigator.language === undefined) Object.defineProperty(navigator, 'language', { value: 'en-US' });
