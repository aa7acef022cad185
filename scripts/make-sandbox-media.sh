#!/bin/sh
# Makes the sandbox networks' media with ffmpeg: a film, a feature, a jingle and a companion, 300 KB together at most.
# They are committed; run this only to change them.
set -eu
cd "$(dirname "$0")/.."
out=Sources/CSandboxMedia/media
font=/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf
seconds=5

# Water that falls over a step: three waves, each lower and brighter than the one behind it.
waves() { # width height
    w=$1 h=$2
    back="$h*0.52+$h*0.03*sin(X/$w*7+T*1.3)"
    middle="$h*0.66+$h*0.035*sin(X/$w*9-T*1.7+1)"
    front="$h*0.80+$h*0.03*sin(X/$w*6+T*2.1+2)"
    echo "geq=r='if(gt(Y,$front),64,if(gt(Y,$middle),24,if(gt(Y,$back),14,10)))':g='if(gt(Y,$front),190,if(gt(Y,$middle),124,if(gt(Y,$back),78,32)))':b='if(gt(Y,$front),215,if(gt(Y,$middle),182,if(gt(Y,$back),134,66)))'"
}

# Five notes, each struck twice a second and dying away, with an octave above them.
note="if(lt(t,1),261.63,if(lt(t,2),329.63,if(lt(t,3),392,if(lt(t,4),440,523.25))))"
strike="exp(-5*mod(t,0.5))"
jingle="aevalsrc='0.35*sin(2*PI*($note)*t)*$strike+0.15*sin(4*PI*($note)*t)*$strike':s=44100:d=$seconds"

ffmpeg -hide_banner -loglevel error -y \
    -f lavfi -i "color=c=black:s=640x360:r=24:d=$seconds,format=gbrp,$(waves 640 360),format=yuv420p" \
    -f lavfi -i "$jingle" \
    -vf "drawtext=fontfile=$font:text='WEIR':fontcolor=white:fontsize=96:x=(w-tw)/2:y=70-40*exp(-4*t):alpha='min(1,t*2)',\
drawtext=fontfile=$font:text='sandbox test ad':fontcolor=0xBFE3F2:fontsize=24:x=(w-tw)/2:y=170:alpha='max(0,min(1,t*2-1))',\
drawbox=x=0:y=352:w='iw':h=8:color=0x0A2042:t=fill" \
    -af "afade=t=out:st=4.6:d=0.4" \
    -c:v libx264 -profile:v high -preset veryslow -tune animation -crf 30 -pix_fmt yuv420p \
    -c:a aac -b:a 48k -ac 1 -movflags +faststart -map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact \
    -t $seconds "$out/film.mp4"

# Content to try ads with: hills at dusk and a clock that counts the seconds, over a quiet chord.
ffmpeg -hide_banner -loglevel error -y \
    -f lavfi -i "color=c=black:s=640x360:r=12:d=24,format=gbrp,geq=r='if(gt(Y,360*0.78+18*sin(X/97)),30,60+90*Y/360)':g='if(gt(Y,360*0.78+18*sin(X/97)),26,40+50*Y/360)':b='if(gt(Y,360*0.78+18*sin(X/97)),48,90)',format=yuv420p" \
    -f lavfi -i "aevalsrc='0.06*sin(2*PI*196*t)+0.05*sin(2*PI*246.94*t)+0.04*sin(2*PI*293.66*t)':s=44100:d=24" \
    -vf "drawtext=fontfile=$font:text='The feature':fontcolor=0xFFE8D0:fontsize=44:x=(w-tw)/2:y=90,\
drawtext=fontfile=$font:text='%{eif\:t\:d} s':fontcolor=white:fontsize=64:x=(w-tw)/2:y=170" \
    -c:v libx264 -profile:v high -preset veryslow -tune animation -crf 32 -g 24 -pix_fmt yuv420p \
    -c:a aac -b:a 24k -ac 1 -movflags +faststart -map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact \
    -t 24 "$out/feature.mp4"

ffmpeg -hide_banner -loglevel error -y -f lavfi -i "$jingle" -af "afade=t=out:st=4.6:d=0.4" \
    -c:a libmp3lame -b:a 48k -ac 1 -ar 44100 -map_metadata -1 -fflags +bitexact -id3v2_version 0 -t $seconds "$out/jingle.mp3"

ffmpeg -hide_banner -loglevel error -y \
    -f lavfi -i "color=c=black:s=300x250:r=1:d=1,format=gbrp,$(waves 300 250)" \
    -vf "drawtext=fontfile=$font:text='WEIR':fontcolor=white:fontsize=64:x=(w-tw)/2:y=34,\
drawtext=fontfile=$font:text='companion 300 x 250':fontcolor=0xBFE3F2:fontsize=15:x=(w-tw)/2:y=104" \
    -frames:v 1 -map_metadata -1 -fflags +bitexact -compression_level 100 "$out/companion.png"

ls -l "$out"
total=$(cat "$out"/* | wc -c)
echo "$total bytes"
test "$total" -le 307200
