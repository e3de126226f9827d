// Style and script of the page. Both stand inside it, so that it needs nothing else.
extension DevelopmentPage {
  static let style = """
    :root{color-scheme:light dark;--line:#8884;--soft:#8882;--accent:#0a5bd3}
    @media(prefers-color-scheme:dark){:root{--accent:#6aa8ff}}
    body{font:16px/1.5 -apple-system,system-ui,sans-serif;margin:0 auto;max-width:68rem;padding:1rem}
    header{display:flex;gap:.75rem;align-items:baseline;flex-wrap:wrap}h1{margin:0}header p{margin:0}
    h2{font-size:1.1rem;margin:0 0 .5rem}
    main{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(19rem,1fr))}
    section{border:1px solid var(--line);border-radius:.75rem;padding:1rem;min-width:0}.wide{grid-column:1/-1}
    .note{background:var(--soft);border-radius:.5rem;padding:.5rem .75rem}.small{opacity:.75;font-size:.9rem}
    .button{display:inline-block;border:1px solid var(--accent);border-radius:.5rem;padding:.25rem .75rem;
    color:var(--accent);text-decoration:none}
    .override{display:flex;gap:1rem;flex-wrap:wrap}.override>div{flex:1 1 12rem;min-width:0}
    .code svg{width:100%;max-width:13rem;display:block}.code{max-width:13rem}
    code{font:.9em ui-monospace,Menlo,monospace;overflow-wrap:anywhere}
    table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .5rem;
    border-bottom:1px solid var(--line)}.log td{font:.85em/1.4 ui-monospace,Menlo,monospace;overflow-wrap:anywhere}
    .hint{border-left:4px solid #d9822b;padding:.25rem .75rem;margin:.5rem 0}.bad{color:#c62f2f}.good{color:#2a7d3c}
    """

  static let script = """
    (function(){
    function find(name){return document.getElementById(name)}
    function make(tag,text,name){
    var e=document.createElement(tag);e.textContent=text;if(name)e.className=name;return e}
    var log=find('log'),hints=find('hints'),quiet=find('quiet');
    var last=0;
    function cell(row,text,name){row.appendChild(make('td',text,name))}
    function poll(){
    fetch('/dev/log?after='+last,{cache:'no-store'}).then(function(r){return r.json()}).then(function(d){
    if(d.last<last){last=0;log.textContent='';return}
    last=d.last;
    d.events.forEach(function(e){
    var row=document.createElement('tr');
    cell(row,e.time.slice(11,19));cell(row,e.method+' '+e.target);
    cell(row,e.status,e.status<400?'good':'bad');cell(row,e.kind+(e.subject?' '+e.subject:''));
    cell(row,e.host+' '+e.agent.slice(0,60));
    log.insertBefore(row,log.firstChild);
    while(log.childNodes.length>200)log.removeChild(log.lastChild)});
    quiet.hidden=log.childNodes.length>0;
    hints.textContent='';
    d.hints.forEach(function(h){hints.appendChild(make('p',h,'hint'))});
    }).catch(function(){}).then(function(){setTimeout(poll,2000)})}
    poll();
    var result=find('result');
    function say(text,good){result.appendChild(make('li',text,good?'good':'bad'))}
    find('test').addEventListener('click',function(event){
    event.preventDefault();result.textContent='';
    fetch('/manifest',{cache:'no-store'}).then(function(r){
    if(!r.ok){say('The manifest answers with '+r.status+'.',false);return}
    return r.json().then(function(m){
    var n=m.assetPacks.length;say('The manifest has '+n+(n===1?' pack.':' packs.'),n>0);
    m.assetPacks.slice(0,50).forEach(function(p){
    fetch(new URL(p.url).pathname,{method:'HEAD',cache:'no-store'}).then(function(a){
    var size=a.headers.get('Content-Length');
    var good=a.status===200&&size===String(p.downloadSize);
    say(p.id+' version '+p.version+': status '+a.status+', '+size+' of '+p.downloadSize+' bytes.',good)
    }).catch(function(e){say(p.id+' could not be asked for: '+e,false)})})})
    }).catch(function(e){say('The manifest could not be fetched: '+e,false)})})
    })();
    """
}
