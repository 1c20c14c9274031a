// The description of the API, to read: Swagger UI without what sends requests,
// whose parts are put together so that they fit into the page and its headings.
(() => {
  'use strict';

  const nothing = () => null;

  const reading = (system) => {
    const h = system.React.createElement;

    // Says in place of the description that it could not be read.
    const trouble = () => h('p', {className: 'note bad', role: 'alert'}, 'The description of the API could not be read. Load the page again.');

    function Reading({getComponent, specSelectors}) {
      if (specSelectors.loadingStatus() === 'failed') return trouble();
      if (specSelectors.loadingStatus() !== 'success') return null;
      return h('div', {className: 'swagger-ui'},
        h('h2', null, 'Operations'), h(getComponent('operations', true)),
        h('h2', null, 'Schemas'), h(getComponent('Models', true)));
    }

    // A button has no link within it; the address of the page changes all the same.
    const DeepLink = ({text}) => h('span', null, text);

    // Nothing to choose from is no choice.
    const contentType = (Original) => (props) =>
      (props.contentTypes?.size === 1 ? h('code', null, props.contentTypes.first()) : h(Original, props));

    // All errors have the same schema; it need not stand below each of them.
    const response = (Original) => (props) =>
      (props.code < '400' ? h(Original, props) : h('tr', {className: 'response', 'data-code': props.code},
        h('td', {className: 'response-col_status'}, props.code),
        h('td', {className: 'response-col_description'}, props.response.get('description'))));

    return {
      components: {Reading, DeepLink, JsonSchemaForm: nothing, authorizeOperationBtn: nothing},
      wrapComponents: {contentType, response},
    };
  };

  const place = document.getElementById('docs');
  SwaggerUIBundle({
    domNode: place,
    url: place.dataset.document,
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [reading],
    layout: 'Reading',
    supportedSubmitMethods: [],
    validatorUrl: null,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelRendering: 'model',
    defaultModelExpandDepth: 3,
    displayOperationId: true,
    syntaxHighlight: {activated: false},
  });
})();
